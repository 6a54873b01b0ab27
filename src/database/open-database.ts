import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig.js';
import { StartError } from '../start-error.js';
import { checkSqliteFile } from './check-sqlite-file.js';
import { migrationNames } from './migration-names.js';
import { sqliteFile } from './sqlite.js';

/** Opens the database and brings its schema up to date. Throws a StartError when that cannot be done. */
export async function openDatabase(databaseUrl: string): Promise<DataSource> {
  const dataSource = createDataSource(databaseUrl);
  const file = sqliteFile(databaseUrl);
  checkSqliteFile(file, migrationNames(dataSource));
  try {
    await dataSource.initialize();
    await dataSource.runMigrations();
    return dataSource;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw new StartError(`The database ${file} cannot be opened: ${(error as Error).message}.`, { cause: error });
  }
}
