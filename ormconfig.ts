import { DATABASE_DEFAULTS } from './src/config.js';
import { createDataSource } from './src/data-source.js';

const dataSource = await createDataSource({
  ...DATABASE_DEFAULTS,
  databaseUrl: process.env.DATABASE_URL || DATABASE_DEFAULTS.databaseUrl,
});

/** On SQLite, TypeORM's own runner would delete rows of other tables. */
function refuse(): Promise<never> {
  return Promise.reject(
    new Error(
      'Run or undo migrations with "npm run migrate", or "npm run migrate -- --undo NAME"; TypeORM can lose rows.',
    ),
  );
}

/** The DataSource for TypeORM's command line; nothing else reads this file. */
export default Object.assign(dataSource, { runMigrations: refuse, undoLastMigration: refuse });
