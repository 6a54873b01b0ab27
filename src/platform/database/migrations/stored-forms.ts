import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { quote } from '../tables/columns/table-columns.js';

/** How a column stores its values on SQLite, which would keep anything. */
interface StoredForm {
  /** For messages. */
  readonly name: string;
  /** An SQL condition that holds for cells of this form, and for those that `mended` brings into it. */
  readonly condition: string;
  /** An SQL expression for the cell in this form. Absent when there is only one form. */
  readonly mended?: string;
}

const DIGIT = '[0-9]';
const DATE = `${DIGIT.repeat(4)}-${DIGIT.repeat(2)}-${DIGIT.repeat(2)}`;
const OFFSET = `[+-]${DIGIT.repeat(2)}:${DIGIT.repeat(2)}`;

/**
 * The form in which a table writes and compares the values of a column. Where PostgreSQL converts what a statement stores, by
 * the precision of the column, SQLite needs `mended` for the same.
 */
export function storedFormOf(column: ColumnMetadata): StoredForm {
  const name = quote(column.databaseName);
  const type = column.entityMetadata.dataSource.driver.normalizeType(column);
  switch (type) {
    case 'bigint':
      return { name: 'an integer', condition: `typeof(${name}) = 'integer'` };
    case 'integer':
      return {
        name: 'an integer of 32 bits',
        condition: `typeof(${name}) = 'integer' AND ${name} BETWEEN -2147483648 AND 2147483647`,
      };
    case 'boolean':
      return { name: 'true or false', condition: `typeof(${name}) = 'integer' AND ${name} IN (0, 1)` };
    case 'double precision':
      return { name: 'a number', condition: `typeof(${name}) = 'real'` };
    case 'datetime':
      return timeForm(name);
    case 'numeric':
    case 'decimal':
      return decimalForm(name, column);
    case 'json':
      // SQLite stores a number that is not inside of anything as a number.
      return { name: 'JSON', condition: `typeof(${name}) IN ('text', 'integer', 'real')` };
    default:
      return { name: 'text', condition: `typeof(${name}) = 'text'` };
  }
}

/** CURRENT_TIMESTAMP and datetime() lack the milliseconds. PostgreSQL ignores an offset, and has no year 0. */
function timeForm(name: string): StoredForm {
  const mended = `strftime('%Y-%m-%d %H:%M:%f', ${name})`;
  const date = `substr(${name}, 1, 10)`;
  const conditions = [
    `typeof(${name}) = 'text'`,
    `${name} GLOB '${DATE}*'`,
    `${name} NOT GLOB '0000*'`,
    `${name} NOT GLOB '*${OFFSET}'`,
    // SQLite takes February 31 for March 3, and knows 24:00.
    `date(${date}) = ${date}`,
    `${mended} NOT LIKE '% 24:%'`,
  ];
  return { name: "a time in UTC, such as '2026-11-25 15:00:00.007'", condition: conditions.join(' AND '), mended };
}

function decimalForm(name: string, { precision, scale = 0 }: ColumnMetadata): StoredForm {
  const mended = `round(${name}, ${scale})`;
  return {
    name: `a decimal of ${precision} digits, ${scale} of them after the point`,
    // describeTable requires a precision.
    condition: `typeof(${name}) IN ('integer', 'real') AND abs(${mended}) < 1e${precision! - scale}`,
    mended,
  };
}
