import { DATABASE_DEFAULTS } from './src/config.js';
import { createDataSource } from './src/data-source.js';

/** The DataSource for TypeORM's command line; nothing else reads this file. */
export default createDataSource({
  ...DATABASE_DEFAULTS,
  databaseUrl: process.env.DATABASE_URL || DATABASE_DEFAULTS.databaseUrl,
});
