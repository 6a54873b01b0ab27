/** How a column stores its values on SQLite, which would keep anything. */
interface StoredForm {
  /** For messages. */
  readonly name: string;
  /** An SQL condition that holds for cells of this form, and for those that `mended` brings into it. */
  readonly condition: string;
  /** An SQL expression for the cell in this form. Absent when there is only one form. */
  readonly mended?: string;
}

/** What an entity or a table says of a column. */
interface StoredColumn {
  readonly type: string;
  /** In characters; '' without a limit. */
  readonly length: string;
  readonly precision?: number | null;
  readonly scale?: number;
}

const DIGIT = '[0-9]';
const DATE = `${DIGIT.repeat(4)}-${DIGIT.repeat(2)}-${DIGIT.repeat(2)}`;
const MILLISECONDS = `'%Y-%m-%d %H:%M:%f'`;
const OFFSET = `[+-]${DIGIT.repeat(2)}:${DIGIT.repeat(2)}`;

/**
 * The form in which a table writes and compares the values of a column, whose quoted name is `name`. Where PostgreSQL converts
 * what a statement stores, by the precision of the column, SQLite needs `mended` for the same.
 */
export function storedFormOf(name: string, column: StoredColumn): StoredForm {
  switch (column.type) {
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
      return textForm(name, column);
  }
}

/** SQLite ignores the length of a text. */
function textForm(name: string, { length }: StoredColumn): StoredForm {
  const condition = `typeof(${name}) = 'text'`;
  if (!length) return { name: 'text', condition };
  return { name: `text of at most ${length} characters`, condition: `${condition} AND length(${name}) <= ${length}` };
}

/** CURRENT_TIMESTAMP and datetime() lack the milliseconds. PostgreSQL ignores an offset, and has no year 0. */
function timeForm(name: string): StoredForm {
  const date = `substr(${name}, 1, 10)`;
  const conditions = [
    `typeof(${name}) = 'text'`,
    // With other spaces, the digits would be elsewhere.
    `(${name} GLOB '${DATE}' OR ${name} GLOB '${DATE}[ T]${DIGIT}*')`,
    `${name} NOT GLOB '0000*'`,
    `${name} NOT GLOB '*${OFFSET}*'`,
    // PostgreSQL rounds them twice.
    `${name} NOT GLOB '*.${DIGIT.repeat(7)}*'`,
    // SQLite takes February 31 for March 3, and knows 24:00.
    `date(${date}) = ${date}`,
    `strftime(${MILLISECONDS}, ${name}) NOT LIKE '% 24:%'`,
  ];
  // SQLite itself rounds further digits down, where PostgreSQL rounds to the nearest millisecond.
  // PostgreSQL counts from 2000, and rounds half a millisecond away from it.
  const rest = `rtrim(substr(${name}, 24, 3), '0 Zz')`;
  const isUp = `iif(substr(${name}, 1, 4) < '2000', ${rest} > '5', ${rest} >= '5')`;
  const mended = `strftime(${MILLISECONDS}, substr(${name}, 1, 23), iif(${isUp}, '+0.001 seconds', '+0 seconds'))`;
  conditions.push(`${mended} IS NOT NULL`);
  return { name: "a time in UTC, such as '2026-11-25 15:00:00.007'", condition: conditions.join(' AND '), mended };
}

/**
 * PostgreSQL rounds half a unit up, as that of 1.005. The double for it may be slightly less; times `UP`, it is slightly more.
 * Other decimals of 15 digits keep them all; further digits, in which computed doubles differ, are removed before.
 */
const UP = 1 + Number.EPSILON;

function decimalForm(name: string, { precision, scale = 0 }: StoredColumn): StoredForm {
  const mended = `round(CAST(printf('%.15g', ${name}) AS real) * ${UP}, ${scale})`;
  return {
    name: `a decimal of ${precision} digits, ${scale} of them after the point`,
    // describeTable requires a precision.
    condition: `typeof(${name}) IN ('integer', 'real') AND abs(${mended}) < 1e${precision! - scale}`,
    mended,
  };
}
