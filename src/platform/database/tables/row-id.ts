import { inspect } from 'node:util';
import type { TableDescription } from './columns/table-columns.js';

/** The id with which to find a row. Throws for a text or number, which SQLite would convert and round, and for other values. */
export function rowId({ name }: TableDescription, id: unknown): bigint {
  if (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) return id;
  throw new TypeError(`An id of "${name}" must be a 64-bit integer, as a bigint, not ${inspect(id)}`);
}
