import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import type { DataSource, DataSourceOptions } from 'typeorm';

type SqliteOptions = Extract<DataSourceOptions, { type: 'better-sqlite3' }>;

/** Milliseconds to wait for another process' lock. The wait blocks every request, so it is short. */
const BUSY_TIMEOUT = 500;

/** KiB of pages kept in memory: half of what better-sqlite3 would keep; the system keeps the file, too. */
const CACHE = 8000;

/** `sqlite:data/pets.sqlite` -> an absolute file name; a relative one begins at the working directory. */
export function sqliteFile(databaseUrl: string): string {
  return resolve(databaseUrl.replace(/^sqlite:/, ''));
}

export function sqliteOptions(databaseUrl: string): SqliteOptions {
  return {
    type: 'better-sqlite3',
    database: sqliteFile(databaseUrl),
    enableWAL: true,
    timeout: BUSY_TIMEOUT,
    // In WAL mode SQLite's own default of "synchronous" would lose answered creations in a power cut.
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma('synchronous = FULL');
      connection.pragma(`cache_size = -${CACHE}`);
    },
  };
}

/** The one connection that TypeORM has opened; hot statements are prepared on it. */
export function sqliteConnection(dataSource: DataSource): Database.Database {
  return (dataSource.driver as unknown as { databaseConnection: Database.Database }).databaseConnection;
}
