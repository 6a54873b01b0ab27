import { assertOrdered, type Term } from './conditions.js';
import { cellOf, columnOf, type TableColumn, type TableDescription } from './columns/table-columns.js';
import { rowId } from './row-id.js';

/** The order of a page by a column, and the cells at which the page starts. */
export interface PageOrder {
  readonly column: TableColumn;
  readonly isDescending: boolean;
  /** The cells of the column and of the id. */
  readonly start?: readonly [unknown, bigint];
}

/** A PageRequest or an OrderedPageRequest of any entity. */
export interface AnyPageRequest {
  readonly from?: bigint | { readonly id: bigint };
  readonly where: object;
  readonly limit: number;
  readonly orderBy?: { readonly column: string; readonly descending?: boolean } | undefined;
}

/** Undefined for the order of ids. Throws for a limit without a meaning; SQLite would read any number of rows with -1. */
export function orderOf(
  table: TableDescription,
  request: AnyPageRequest,
  terms: readonly Term[],
): PageOrder | undefined {
  const { limit, orderBy } = request;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new Error(`A page of "${table.name}" cannot have ${limit} rows; give it a whole number from 0`);
  if (!orderBy) {
    if (request.from !== undefined) rowId(table, request.from);
    return undefined;
  }
  const column = columnOf(table, orderBy.column);
  assertOrdered(table.name, column);
  if (column.isNullable)
    throw new Error(`"${table.name}" cannot be ordered by "${column.name}", which may be null; choose another column`);
  assertIndexed(table, column.property, terms);
  const isDescending = orderBy.descending ?? false;
  if (request.from === undefined) return { column, isDescending };
  const from = request.from as Readonly<Record<string, unknown>> & { readonly id: bigint };
  const value = from[column.property];
  if (value === undefined) throw new Error(`The first row of a page of "${table.name}" lacks "${column.property}"`);
  return { column, isDescending, start: [cellOf(column, value), rowId(table, from.id)] };
}

/** Throws unless an index has the column after columns with a single value. */
function assertIndexed({ name, indexes }: TableDescription, property: string, terms: readonly Term[]): void {
  const single = new Set(terms.filter(({ operator }) => operator === '=').map(({ column }) => column.property));
  single.delete(property);
  if (indexes.some((index) => index.find((each) => each === undefined || !single.has(each)) === property)) return;
  const close = indexes.find((index) => index.includes(property));
  const before = close?.slice(0, close.indexOf(property)).filter((each) => each === undefined || !single.has(each));
  const missing = before?.every((each) => each !== undefined)
    ? `, or give a single value for ${before.join(', ')}`
    : '';
  const needed = [...single, property, 'id'].join(', ');
  throw new Error(`"${name}" cannot be ordered by "${property}" without an index; add one of ${needed}${missing}`);
}
