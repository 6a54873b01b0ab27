import { DATABASE_DEFAULTS } from '../../../src/config.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';

/** The factor by which tests multiply the timeouts of the database, so that a slow machine affects them less. */
export const STRETCH = 3;
/** The timeouts of the database, stretched. */
export const STRETCHED = {
  databaseConnectTimeout: DATABASE_DEFAULTS.databaseConnectTimeout * STRETCH,
  databaseStatementTimeout: DATABASE_DEFAULTS.databaseStatementTimeout * STRETCH,
};

/** Milliseconds, for a test that waits for no timeout: a busy machine must not fail it. */
export const PATIENT = { databaseConnectTimeout: 30_000, databaseStatementTimeout: 30_000 };

/** The variables of a process with these timeouts. */
export function limitsInEnvironment({ databaseConnectTimeout, databaseStatementTimeout }: typeof PATIENT) {
  return {
    DATABASE_CONNECT_TIMEOUT_MS: String(databaseConnectTimeout),
    DATABASE_STATEMENT_TIMEOUT_MS: String(databaseStatementTimeout),
  };
}

/** For a database that a test opens itself. */
export function patientConfig(databaseUrl: string): DatabaseConfig {
  return { ...DATABASE_DEFAULTS, ...PATIENT, databaseUrl };
}
