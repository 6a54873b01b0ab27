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
  // Takes the lock that a write requires, and writes nothing.
  const lock = connection.transaction(() => undefined);
  const turns = WriteTurns.of(connection);
  return async () => {
    if (!connection.open) throw new DatabaseUnavailable();
    guard.check();
    return { reads: reads.every(succeeds), writes: writes.every(succeeds) && (await isLockable(lock, turns)) };
  };
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
