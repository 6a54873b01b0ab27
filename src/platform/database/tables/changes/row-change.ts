import { assertMayChange, type Cells, changesOf, type TableDescription } from '../columns/table-columns.js';
import { type Term, termsOf } from '../conditions.js';
import { rowId } from '../row-id.js';

/** A change of one row, with what the arguments held when it was requested: the caller may change them before it runs. */
export interface RowChange {
  readonly id: bigint;
  /** What the row must have. */
  readonly terms: readonly Term[];
  /** The columns with new cells; absent to delete the row. */
  readonly changed?: { readonly names: readonly string[]; readonly cells: Cells };
}

export function updateOf(table: TableDescription, id: bigint, changes: object, where: object): RowChange {
  assertMayChange(table);
  return { id: rowId(table, id), terms: termsOf(table, where), changed: changesOf(table, id, changes) };
}

export function deletionOf(table: TableDescription, id: bigint, where: object): RowChange {
  assertMayChange(table);
  return { id: rowId(table, id), terms: termsOf(table, where) };
}
