import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { type CheckCapabilities, requiredTables } from '../tables/capabilities.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { quote } from '../tables/columns/table-columns.js';
import { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { sqliteConnection } from './sqlite.js';
import { whenUnlocked } from './when-unlocked.js';
import { WriteTurns } from './write-turns.js';

export function sqliteCapabilities(dataSource: DataSource): CheckCapabilities {
  const connection = sqliteConnection(dataSource);
  const guard = SqliteFileGuard.of(connection);
  const { read, written, sequences, columns } = requiredTables(dataSource);
  const select = (table: string) =>
    connection.prepare(`SELECT ${(columns.get(table) ?? []).map(quote).join()} FROM ${quote(table)} LIMIT 1`);
  const reads = read.map(select);
  const writes = [...written, sequences].map(select);
  const unfilled = [...written, sequences].map((table) => prepareUnfilled(connection, table, columns.get(table) ?? []));
  // Takes the lock that a write requires, and writes nothing.
  const lock = connection.transaction(() => undefined);
  const turns = WriteTurns.of(connection);
  return async () => {
    if (!connection.open) throw new DatabaseUnavailable();
    guard.check();
    const isWritable = writes.every(succeeds) && unfilled.every((each) => each.get() === undefined);
    return { reads: reads.every(succeeds), writes: isWritable && (await isLockable(lock, turns)) };
  };
}

/** Finds a column that requires a value and gets none, because no entity has it: every insert then fails. */
function prepareUnfilled(connection: Database.Database, table: string, known: readonly string[]): Database.Statement {
  const statement = connection.prepare(
    `SELECT 1 FROM pragma_table_info(?) WHERE "notnull" AND coalesce(upper("dflt_value"), 'NULL') = 'NULL'
      AND lower("name") NOT IN (SELECT lower("value") FROM json_each(?)) LIMIT 1`,
  );
  return statement.bind(table, JSON.stringify(known));
}

function succeeds(statement: Database.Statement): boolean {
  try {
    statement.get();
    return true;
  } catch {
    return false;
  }
}

/**
 * False only for a lasting lock of another process: a short one merely delays writes. A lock of one of our own transactions
 * shows that writes are possible; they follow each other without a gap in which this could take it.
 */
async function isLockable(lock: Database.Transaction, turns: WriteTurns): Promise<boolean> {
  try {
    await whenUnlocked(() => turns.isLocked || (lock.immediate() as undefined));
    return true;
  } catch {
    return false;
  }
}
