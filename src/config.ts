import type { BlockList } from 'node:net';
import type { RateLimit } from './auth/token-buckets.js';
import type { DatabaseConfig } from './platform/database/database-config.js';
import type { EdgeTimeouts } from './platform/http/server/edge-server.js';
import { LOGGED_REQUESTS, type LoggedRequests } from './platform/http/outcomes/request-log.js';
import { LOG_LEVELS, type LogLevel } from './platform/process/log-level.js';
import { StartError } from './platform/process/start-error.js';
import {
  apiKeys,
  databaseReadUrls,
  databaseUrl,
  flag,
  integer,
  isPostgresAddress,
  milliseconds,
  oneOf,
  networks,
  origins,
  rateLimit,
  type Read,
  text,
} from './config-values.js';

export interface Config extends DatabaseConfig, EdgeTimeouts {
  readonly host: string;
  readonly port: number;
  /** Serves metrics, and health as well. Absent: no metrics, and health on the main port only. */
  readonly adminPort?: number;
  /** Whether starting migrates the schema of PostgreSQL. The schema of an SQLite file is always migrated. */
  readonly migrateOnStart: boolean;
  /** Keys accepted in addition to those in the database. Secret. */
  readonly apiKeys: readonly string[];
  /** For each API key, and each address without one; absent for no limit. */
  readonly rateLimit?: RateLimit;
  /** The proxies whose `X-Forwarded-For` is trusted; absent for none. */
  readonly trustedProxies?: BlockList;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly logLevel: LogLevel;
  /** Which requests get a line in the log. */
  readonly logRequests: LoggedRequests;
  /** Origins whose pages may call the service from a browser. CORS is off when there are none. */
  readonly corsOrigins: readonly string[];
}

/** The database timeouts leave a slow machine some of the 2 seconds within which a caller gets a 503. */
export const DATABASE_DEFAULTS: DatabaseConfig = {
  applicationName: 'pet-store',
  databaseUrl: 'sqlite:data/pets.sqlite',
  databaseReadUrls: [],
  databaseReadMaxLag: 10_000,
  databasePoolSize: 10,
  databaseConnectTimeout: 1600,
  databaseStatementTimeout: 1600,
  databasePooler: false,
};

/** Reads the environment, where an empty variable counts as absent. Throws one StartError that names every bad variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const read = <T>(name: string, fallback: T, parse: Read<T>): T => {
    const value = env[name]?.trim();
    if (value === undefined || value === '') return fallback;
    try {
      return parse(value);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return fallback;
    }
  };
  const logLevel = read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS));
  const logRequests = read<LoggedRequests | undefined>('LOG_REQUESTS', undefined, oneOf(LOGGED_REQUESTS));
  const isInfoLogged = LOG_LEVELS.indexOf(logLevel) >= LOG_LEVELS.indexOf('info');
  if (logRequests !== undefined && logRequests !== 'none' && !isInfoLogged) {
    problems.push(`LOG_REQUESTS must be none when LOG_LEVEL is ${logLevel}, because requests are logged at level info`);
  }
  const config: Config = {
    host: read('HOST', '0.0.0.0', text),
    port: read('PORT', 3000, integer(0, 65_535)),
    adminPort: read<number | undefined>('ADMIN_PORT', undefined, integer(0, 65_535)),
    applicationName: DATABASE_DEFAULTS.applicationName,
    databaseUrl: read('DATABASE_URL', DATABASE_DEFAULTS.databaseUrl, databaseUrl),
    databaseReadUrls: read('DATABASE_READ_URL', DATABASE_DEFAULTS.databaseReadUrls, databaseReadUrls),
    databaseReadMaxLag: read('DATABASE_READ_MAX_LAG_MS', DATABASE_DEFAULTS.databaseReadMaxLag, milliseconds),
    databasePoolSize: read('DATABASE_POOL_SIZE', DATABASE_DEFAULTS.databasePoolSize, integer(2, 1000)),
    databaseConnectTimeout: read('DATABASE_CONNECT_TIMEOUT_MS', DATABASE_DEFAULTS.databaseConnectTimeout, milliseconds),
    databaseStatementTimeout: read(
      'DATABASE_STATEMENT_TIMEOUT_MS',
      DATABASE_DEFAULTS.databaseStatementTimeout,
      milliseconds,
    ),
    databasePooler: read('DATABASE_POOLER', DATABASE_DEFAULTS.databasePooler, flag),
    migrateOnStart: read('MIGRATE_ON_START', false, flag),
    apiKeys: read<readonly string[]>('API_KEYS', [], apiKeys),
    rateLimit: read<RateLimit | undefined>('RATE_LIMIT', undefined, rateLimit),
    trustedProxies: read<BlockList | undefined>('TRUSTED_PROXIES', undefined, networks),
    bodyLimit: read('BODY_LIMIT', 102_400, integer(1, 16_777_216)),
    logLevel,
    logRequests: logRequests ?? (isInfoLogged ? 'errors' : 'none'),
    corsOrigins: read<readonly string[]>('CORS_ORIGINS', [], origins),
    headersTimeout: read('HEADERS_TIMEOUT_MS', 10_000, milliseconds),
    requestTimeout: read('REQUEST_TIMEOUT_MS', 30_000, milliseconds),
    keepAliveTimeout: read('KEEP_ALIVE_TIMEOUT_MS', 72_000, milliseconds),
    shutdownGrace: read('SHUTDOWN_GRACE_MS', 0, integer(0, 3_600_000)),
    shutdownTimeout: read('SHUTDOWN_TIMEOUT_MS', 10_000, milliseconds),
  };
  if (config.databaseReadUrls.length > 0 && !isPostgresAddress(config.databaseUrl)) {
    problems.push('DATABASE_READ_URL requires DATABASE_URL to be a PostgreSQL address');
  }
  if (config.adminPort !== undefined && config.adminPort !== 0 && config.adminPort === config.port) {
    problems.push('ADMIN_PORT must differ from PORT');
  }
  if (config.trustedProxies && !config.rateLimit && !env.RATE_LIMIT?.trim()) {
    problems.push('TRUSTED_PROXIES requires RATE_LIMIT, because nothing else uses the address of a client');
  }
  if (problems.length > 0) throw new StartError(`Invalid configuration: ${problems.join('; ')}.`);
  return Object.freeze(config);
}
