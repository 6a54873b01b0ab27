import { Pool, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { checkPgVersion } from './check-pg-version.js';
import type { PostgresConfig } from './postgres-config.js';
import { PostgresClient } from './postgres-client.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** What PostgreSQL lists our connections as. */
const APPLICATION = 'pet-store';

/** Milliseconds for a connection to a standby, and then for a statement: the primary is asked after it, and in time. */
const STANDBY_PATIENCE = 300;

/** Milliseconds that a server has beyond the time of a statement to say that it was cancelled. */
const SILENCE = 100;

/** For a migration or a copy, whatever the server's administrator allows others: a lock that is lost is lost unseen. */
const AS_LONG_AS_IT_TAKES = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/** The plan of a prepared statement is kept: that of a small table, which reads all of it, must not be. */
const BY_INDEX = '-c enable_seqscan=off';

/** TLS, and whatever else `pg` knows, is part of the address: `?sslmode=verify-full&sslrootcert=/etc/ssl/pets.pem`. */
export function postgresOptions(config: PostgresConfig): PostgresOptions {
  checkPgVersion();
  return {
    type: 'postgres',
    url: config.databaseUrl,
    applicationName: APPLICATION,
    poolSize: config.databasePoolSize,
    connectTimeoutMS: config.databaseConnectTimeout,
    installExtensions: false,
    // An idle connection that ends is replaced by the next request that needs one.
    poolErrorHandler: () => undefined,
    extra: connectionOptions(config, config.databaseStatementTimeout),
  };
}

/** Connects when it is first asked. */
export function standbyPool(url: string, config: PostgresConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: config.databasePoolSize,
    connectionTimeoutMillis: STANDBY_PATIENCE,
    ...connectionOptions(config, STANDBY_PATIENCE),
  });
  return pool.on('error', () => undefined);
}

function connectionOptions({ databasePooler }: PostgresConfig, statementTimeout: number): PoolConfig {
  return {
    Client: PostgresClient,
    keepAlive: true,
    // There, so that a statement ends that nobody waits for any more; and here, for a server that is silent. A pooler
    // refuses to be told the former. None is none for both.
    query_timeout: statementTimeout && statementTimeout + SILENCE,
    // `pg` does not send a time of 0.
    ...(!databasePooler && {
      statement_timeout: statementTimeout,
      options: statementTimeout === 0 ? `${BY_INDEX} ${AS_LONG_AS_IT_TAKES}` : BY_INDEX,
    }),
  };
}
