import type { DataSource } from 'typeorm';
import { StartError } from '../process/start-error.js';

/**
 * A row of "sequences" with this beginning says that `npm run db:copy` is filling the database. It is there before the
 * first row and goes in the transaction that sets the sequences, so that no part of a copy is ever served as a whole.
 */
const MARK = 'copy from ';

export const copyMark = (source: string): string => `${MARK}${source}`;

/** The source that a mark names; undefined for a row that is no mark. */
export function sourceOfMark(name: string): string | undefined {
  return name.startsWith(MARK) ? name.slice(MARK.length) : undefined;
}

/** Throws a StartError for a database that a copy has begun to fill. */
export async function refuseUnfinishedCopy(dataSource: DataSource, database: string): Promise<void> {
  const rows: { name: string }[] = await dataSource.query(
    `SELECT "name" FROM "sequences" WHERE "name" LIKE '${MARK}%' LIMIT 1`,
  );
  const source = rows[0] && sourceOfMark(rows[0].name);
  if (source === undefined) return;
  throw new StartError(
    `The database ${database} holds an unfinished copy of ${source}; run the same "npm run db:copy" again to finish it.`,
  );
}
