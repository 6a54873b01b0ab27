import type { QueryRunner } from 'typeorm';
import { StartError } from '../process/start-error.js';
import { isMissingTable, type Queries } from './migrations/migration-state.js';

/**
 * A row of "sequences" with this prefix marks a database that `npm run db:copy` is filling. It is inserted before the first
 * row, in a new database together with the tables, and deleted in the transaction that sets the sequences, so that a
 * partial copy is never served.
 */
const MARK = 'copy from ';

/** The "last" of the mark of a database that has no copied rows yet, but those that its migrations have inserted. */
export const ONLY_MIGRATED = -1n;

export const copyMark = (source: string): string => `${MARK}${source}`;

/** The source in a mark; undefined for the name of an ordinary sequence. */
export function sourceOfMark(name: string): string | undefined {
  return name.startsWith(MARK) ? name.slice(MARK.length) : undefined;
}

/** Marks a database as soon as a migration has created "sequences", in the transaction of that migration. */
export async function markNewCopy(runner: QueryRunner, source: string): Promise<void> {
  if (!(await runner.hasTable('sequences'))) return;
  const mark = `'${copyMark(source).replaceAll("'", "''")}'`;
  await runner.query(
    `INSERT INTO "sequences" ("name", "last") SELECT ${mark}, ${ONLY_MIGRATED} WHERE NOT EXISTS (SELECT 1 FROM "sequences" WHERE "name" = ${mark})`,
  );
}

/** Throws a StartError when the database, whose schema may be that of any release, holds an unfinished copy. */
export async function refuseUnfinishedCopy(connection: Queries, database: string): Promise<void> {
  const mark = await findMark(connection);
  const source = mark === undefined ? undefined : sourceOfMark(mark);
  if (source === undefined) return;
  throw new StartError(
    `The database ${database} holds an unfinished copy of ${source}; run the same "npm run db:copy" again to finish it.`,
  );
}

async function findMark(connection: Queries): Promise<string | undefined> {
  try {
    const query = `SELECT "name" FROM "sequences" WHERE "name" LIKE '${MARK}%' LIMIT 1`;
    const [row] = (await connection.query(query)) as { name: string }[];
    return row?.name;
  } catch (error) {
    // Its migration may be undone.
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}
