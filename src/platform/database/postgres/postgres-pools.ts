import { type ClientBase, defaults, Pool, type PoolConfig, types } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { REQUIRED_OPTIONS } from './required-settings.js';
import { checkPgVersion } from './check-pg-version.js';
import type { PostgresConfig } from './postgres-config.js';
import { DurableClient, PostgresClient, PrimaryClient } from './postgres-client.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Milliseconds for a statement on a standby, so that the primary can still answer in time. */
const STANDBY_TIMEOUT = 300;

/** Milliseconds beyond the statement timeout in which the server can report that it cancelled the statement. */
const CANCEL_MARGIN = 100;

/**
 * For migrations and copies. Overrides the administrator's limits: a lock that the server releases after a timeout is lost
 * unnoticed.
 */
const NO_TIMEOUTS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/** The same for a limit that servers before release 17 lack, and would refuse as an option. */
const NO_TRANSACTION_TIMEOUT = `SELECT set_config("name", '0', false) FROM "pg_settings" WHERE "name" = 'transaction_timeout'`;

/** The pool waits for the promise, though its type does not say so. */
const allowLongTransactions: (client: ClientBase) => unknown = (client) => client.query(NO_TRANSACTION_TIMEOUT);

/** A prepared statement keeps its plan: one made while the table is small would scan all of it for good. */
const USE_INDEXES = '-c enable_seqscan=off';

const OPTIONS = `${USE_INDEXES} ${REQUIRED_OPTIONS}`;

/**
 * Stored times are in UTC. With a Date, migrations would otherwise write and read them in the time zone of the process. Tables
 * convert values themselves.
 */
defaults.parseInputDatesAsUTC = true;
types.setTypeParser(types.builtins.TIMESTAMP, (text) => new Date(`${text.replace(' ', 'T')}Z`));

/** TLS and other settings of `pg` are part of the address: `?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem`. */
export function postgresOptions(config: PostgresConfig): PostgresOptions {
  checkPgVersion();
  return {
    type: 'postgres',
    url: withoutWarning(config.databaseUrl),
    applicationName: config.applicationName,
    poolSize: config.databasePoolSize,
    connectTimeoutMS: config.databaseConnectTimeout,
    installExtensions: false,
    // The pool replaces an idle connection that fails; there is nothing to report.
    poolErrorHandler: () => undefined,
    extra: connectionOptions(config, config.databaseStatementTimeout),
  };
}

/**
 * Without libpq's compatibility, `pg` checks the certificate and the name in each of these modes, and warns at length on
 * standard error, where log lines are JSON.
 */
function withoutWarning(address: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(address)) return address;
  return address.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

/** Connects at the first query. */
export function standbyPool(url: string, config: PostgresConfig): Pool {
  const pool = new Pool({
    connectionString: withoutWarning(url),
    application_name: config.applicationName,
    max: config.databasePoolSize,
    connectionTimeoutMillis: STANDBY_TIMEOUT,
    ...connectionOptions(config, STANDBY_TIMEOUT),
    // Nothing is committed there. A server that was promoted may stay.
    Client: PostgresClient,
  });
  return pool.on('error', () => undefined);
}

function connectionOptions({ databasePooler }: PostgresConfig, statementTimeout: number): PoolConfig {
  return {
    Client: databasePooler ? PrimaryClient : DurableClient,
    keepAlive: true,
    // The client-side timeout covers an unresponsive server; 0 switches it off.
    query_timeout: statementTimeout && statementTimeout + CANCEL_MARGIN,
    // The server-side timeout cancels the statement. A pooler refuses it as a startup parameter.
    ...(!databasePooler && {
      statement_timeout: statementTimeout,
      // `pg` does not send a timeout of 0.
      options: statementTimeout === 0 ? `${OPTIONS} ${NO_TIMEOUTS}` : OPTIONS,
      ...(statementTimeout === 0 && { onConnect: allowLongTransactions }),
    }),
  };
}
