import { DATABASE_DEFAULTS } from '../../../src/config.js';

/** The factor by which tests multiply the timeouts of the database, so that a slow machine affects them less. */
export const STRETCH = 3;
/** The timeouts of the database, stretched. */
export const STRETCHED = {
  databaseConnectTimeout: DATABASE_DEFAULTS.databaseConnectTimeout * STRETCH,
  databaseStatementTimeout: DATABASE_DEFAULTS.databaseStatementTimeout * STRETCH,
};
