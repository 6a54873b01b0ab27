import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { checkAddon } from './check-addon.js';

type SqliteOptions = Extract<DataSourceOptions, { type: 'better-sqlite3' }>;

/** Milliseconds for which a start or a command waits for another process's lock. Requests wait without blocking. */
const BUSY_TIMEOUT = 500;

/** KiB of pages kept in memory: half of better-sqlite3's default, because the operating system caches the file too. */
const CACHE = 8000;

/** Bytes that the write-ahead log keeps after a checkpoint; a burst of creations would otherwise leave it large for ever. */
const JOURNAL_SIZE = 64 * 1024 * 1024;

/** `sqlite:data/app.sqlite` -> an absolute file name; a relative one is resolved against the working directory. */
export function sqliteFile(databaseUrl: string): string {
  return resolve(databaseUrl.replace(/^sqlite:/, ''));
}

export function sqliteOptions(databaseUrl: string): SqliteOptions {
  checkAddon();
  return {
    type: 'better-sqlite3',
    database: sqliteFile(databaseUrl),
    enableWAL: true,
    timeout: BUSY_TIMEOUT,
    prepareDatabase: prepareConnection,
  };
}

/** For every connection that writes. */
export function prepareConnection(connection: Database.Database): void {
  // better-sqlite3's default in WAL mode, NORMAL, would lose acknowledged creations in a power cut.
  connection.pragma('synchronous = FULL');
  connection.pragma(`cache_size = -${CACHE}`);
  connection.pragma(`journal_size_limit = ${JOURNAL_SIZE}`);
}

/** The one connection that TypeORM opened; hot statements bypass TypeORM. */
export function sqliteConnection(dataSource: DataSource): Database.Database {
  return (dataSource.driver as BetterSqlite3Driver).databaseConnection as Database.Database;
}
