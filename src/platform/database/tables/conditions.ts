import { cellOf, columnOf, type TableColumn, type TableDescription } from './columns/table-columns.js';

/** A value from a list. */
class OneOf<Value> {
  constructor(readonly values: readonly Value[]) {}
}

interface Bounds<Value> {
  /** The smallest value. */
  readonly from?: Value;
  readonly above?: Value;
  /** The greatest value. */
  readonly to?: Value;
  readonly below?: Value;
}

class Range<Value> {
  constructor(readonly bounds: Bounds<Value>) {}
}

/** Matches one of these values; without values, no row. */
export function oneOf<Value>(values: readonly Value[]): OneOf<Value> {
  return new OneOf(values);
}

/** Matches values within these bounds; undefined bounds do not count. Not for text: databases order it differently. */
export function range<Value>(bounds: Bounds<Value>): Range<Value> {
  return new Range(bounds);
}

type Condition<Value> = Value | OneOf<Value> | Range<Value>;

/** What rows must have: a value, one of a list, one in a range, or null for no value. Undefined does not filter. */
export type Conditions<Entity> = {
  readonly [Column in keyof Entity]?:
    Condition<NonNullable<Entity[Column]>> | (null extends Entity[Column] ? null : never) | undefined;
};

type Operator = '=' | '>=' | '>' | '<=' | '<' | 'in' | 'is null';

const BOUNDS: readonly (readonly [keyof Bounds<unknown>, Operator])[] = [
  ['from', '>='],
  ['above', '>'],
  ['to', '<='],
  ['below', '<'],
];

/** A condition on one column. */
export interface Term {
  readonly column: TableColumn;
  readonly operator: Operator;
  /** A cell, or a list of cells; null for `is null`. */
  readonly value: unknown;
}

export function termsOf(table: TableDescription, where: object): Term[] {
  const conditions = where as Readonly<Record<string, unknown>>;
  for (const property in conditions) if (conditions[property] !== undefined) columnOf(table, property);
  const terms: Term[] = [];
  // Not only the members above: a class may have accessors.
  for (const column of table.columns) {
    const condition = conditions[column.property];
    if (condition !== undefined) addTerms(terms, table, column, condition);
  }
  return terms;
}

/** The part of a statement's name that its conditions determine, with quotes between names, which contain none. */
export function shapeOf(terms: readonly Term[]): string {
  return terms.map(({ column: { name }, operator }) => (operator === '=' ? name : `${name}"${operator}`)).join('","');
}

function addTerms(terms: Term[], { name }: TableDescription, column: TableColumn, condition: unknown): void {
  if (condition instanceof Range) {
    assertOrdered(name, column);
    for (const [bound, operator] of BOUNDS) {
      const value: unknown = (condition.bounds as Bounds<unknown>)[bound];
      if (value !== undefined) terms.push({ column, operator, value: cellOf(column, value) });
    }
  } else if (condition instanceof OneOf) {
    assertComparable(name, column);
    const value = condition.values.map((each: unknown) => cellOf(column, each));
    if (value.includes(null))
      throw new Error(
        `"${name}"."${column.name}" stores a value of this list as null, which no list finds; make null a condition of its own`,
      );
    terms.push({ column, operator: 'in', value });
  } else {
    const value = cellOf(column, condition);
    // A transformer may store a value for null, and null for a value.
    if (value !== null) assertComparable(name, column);
    terms.push({ column, operator: value === null ? 'is null' : '=', value });
  }
}

function assertComparable(table: string, column: TableColumn): void {
  if (!column.isComparable) throw new Error(`"${table}"."${column.name}" cannot be compared: it is JSON`);
}

export function assertOrdered(table: string, column: TableColumn): void {
  if (column.isOrdered) return;
  throw new Error(
    `"${table}"."${column.name}" has no order that SQLite and PostgreSQL share: it is text or JSON, or has a transformer`,
  );
}
