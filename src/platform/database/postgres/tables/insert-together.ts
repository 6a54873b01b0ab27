import type { Respond } from '../../transactions/transaction.js';
import { UnitOfWork } from '../../transactions/unit-of-work.js';
import { type Cells, quote } from '../../tables/columns/table-columns.js';
import type { StatementRunner } from '../postgres-statements.js';
import type { PostgresInserts } from './postgres-inserts.js';
import { storeRequests } from './postgres-requests.js';

/** Inserts rows inside an open transaction, as `Transactions.insertTogether` promises; within `limit` milliseconds. */
export function insertTogether(
  session: StatementRunner,
  table: string,
  inserts: PostgresInserts,
  rows: readonly Cells[],
  respond: Respond,
  limit: number,
): Promise<ReadonlySet<string>> {
  const unit = new UnitOfWork(
    () => {
      throw new Error('A group of inserts has no tables');
    },
    (requests) => storeRequests(session, requests),
  );
  return unit.perform(async (transaction) => {
    const ids = await inserts.insertAll(session, rows);
    const requests = await respond(ids);
    const stored = await transaction.store(requests.filter((request) => request !== undefined));
    const undone = ids.filter((_, index) => {
      const request = requests[index];
      return !request || !stored.has(request.hash);
    });
    if (undone.length > 0) await session.run(undoStatement(table), [undone]);
    return stored;
  }, limit);
}

/** Removes rows of this transaction, which no other transaction has seen. */
function undoStatement(table: string) {
  return { name: '', text: `DELETE FROM ${quote(table)} WHERE "id" = ANY($1::bigint[])` };
}
