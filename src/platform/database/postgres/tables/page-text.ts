import { quote, type TableDescription } from '../../tables/columns/table-columns.js';
import type { Term } from '../../tables/conditions.js';
import type { PageOrder } from '../../tables/page-order.js';
import { numbered } from './numbered-terms.js';

/** The `LIMIT` that PostgreSQL plans a page for; a larger page gets the next power of two. */
const PLANNED_ROWS = 128;

export function plannedRows(limit: number): number {
  return Math.max(PLANNED_ROWS, 2 ** Math.ceil(Math.log2(limit)));
}

/**
 * Parameters: the limit, where the page starts, and the values of the terms.
 *
 * The inner literal limit lets PostgreSQL keep the plan: it estimates `LIMIT $1` as a tenth of the table, and would plan
 * the statement again each time, which costs more than the page. The order begins with the columns of a single value, so
 * that only their index provides it; through the index of the ids, a page of a rare value would read the whole table.
 */
export function pageText(
  { name, columnList }: TableDescription,
  terms: readonly Term[],
  planned: number,
  order: PageOrder | undefined,
): string {
  const start = startOf(order);
  const parameters = numbered(terms, 2 + start.length);
  const single = parameters.filter(({ term }) => term.operator === '=');
  const columns = single.map(({ name: column }) => column);
  const values = single.map(({ parameter }) => parameter);
  const direction = order?.isDescending ? ' DESC' : '';
  const sorted = [...columns, ...(order ? [quote(order.column.name)] : []), '"id"'];
  const orderBy = sorted.map((column) => `${column}${direction}`).join(', ');
  const conditions = parameters.filter(({ term }) => term.operator !== '=').map(({ text }) => text);
  const [from, to] = order?.isDescending ? ['<=', '>='] : ['>=', '<='];
  const bounds: string[] = [];
  if (start.length > 0) bounds.push(`${list(sorted)} ${from} ${list([...values, ...start])}`);
  else if (columns.length > 0) bounds.push(`${list(columns)} ${from} ${list(values)}`);
  if (columns.length > 0) bounds.push(`${list(columns)} ${to} ${list(values)}`);
  const where = [...bounds, ...conditions].join(' AND ') || 'true';
  return `SELECT ${columnList} FROM (
      SELECT ${columnList} FROM ${quote(name)} WHERE ${where} ORDER BY ${orderBy} LIMIT ${planned}
    ) AS "page" ORDER BY ${orderBy} LIMIT $1`;
}

function list(items: readonly string[]): string {
  return `(${items.join(', ')})`;
}

/** The parameters of the position at which a page starts, in the order of its columns. */
function startOf(order: PageOrder | undefined): string[] {
  if (!order) return ['$2'];
  return order.start ? ['$2', '$3'] : [];
}
