import type { DatabaseConfig } from './platform/database/database-config.js';
import type { EdgeTimeouts } from './platform/http/server/edge-server.js';
import { LOG_LEVELS, type LogLevel } from './platform/process/log-level.js';
import { StartError } from './platform/process/start-error.js';

export interface Config extends DatabaseConfig, EdgeTimeouts {
  readonly host: string;
  readonly port: number;
  /** Whether a start brings the schema of PostgreSQL up to date; that of an SQLite file always is. */
  readonly migrateOnStart: boolean;
  /** Keys accepted besides those of the database. Secret. */
  readonly apiKeys: readonly string[];
  /** Bytes. */
  readonly bodyLimit: number;
  readonly logLevel: LogLevel;
  /** Origins whose pages may call the service from a browser; none switches CORS off. */
  readonly corsOrigins: readonly string[];
}

/** A connection and a statement together take less than the two seconds after which a caller is told to come back. */
export const DATABASE_DEFAULTS: DatabaseConfig = {
  databaseUrl: 'sqlite:data/pets.sqlite',
  databaseReadUrls: [],
  databaseReadMaxLag: 10_000,
  databasePoolSize: 10,
  databaseConnectTimeout: 800,
  databaseStatementTimeout: 1000,
  databasePooler: false,
};

/** RFC 6750, section 2.1: what can be sent as a bearer token. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

type Read<T> = (text: string) => T;

const text: Read<string> = (value) => value;

const integer =
  (minimum: number, maximum: number): Read<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new Error(`must be an integer from ${minimum} to ${maximum}, not "${value}"`);
  };

const milliseconds = integer(1, 3_600_000);

const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (value) => {
    if ((values as readonly string[]).includes(value)) return value as T;
    throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
  };

const flag: Read<boolean> = (value) => oneOf(['true', 'false'])(value) === 'true';

/** An "@" behind the host, or a "#", is that of a password that is not encoded, whose beginning would be printed. */
function isPostgresAddress(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value) || !isEncoded(value)) return false;
  const { pathname, search, hash } = new URL(value);
  return hash === '' && !`${pathname}${search}`.includes('@');
}

function isEncoded(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Never repeats the address: one of another database carries a password. */
export const databaseUrl: Read<string> = (value) => {
  if (/^sqlite:[^:]/.test(value) || isPostgresAddress(value)) return value;
  throw new Error('must be "sqlite:" and a file name, or a "postgres://" URL with a percent-encoded password');
};

/** Never repeats an address. */
const databaseReadUrls: Read<string[]> = (value) => {
  const bad = list(value).findIndex((url) => !isPostgresAddress(url));
  if (bad === -1) return list(value);
  throw new Error(
    `must be "postgres://" URLs with percent-encoded passwords, separated by commas (number ${bad + 1} is not)`,
  );
};

/** Never repeats a key. */
const apiKeys: Read<string[]> = (value) => {
  const keys = list(value);
  const bad = keys.findIndex((key) => !BEARER_TOKEN.test(key));
  if (bad === -1) return keys;
  throw new Error(`must use only letters, digits and -._~+/ in each key (key number ${bad + 1} does not)`);
};

const origins: Read<string[]> = (value) => {
  const bad = list(value).find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (bad === undefined) return list(value);
  throw new Error(`must be origins such as https://shop.example separated by commas, not "${bad}"`);
};

/** Reads the environment. Throws one StartError that names every bad variable. An empty variable counts as absent. */
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
  const config: Config = {
    host: read('HOST', '0.0.0.0', text),
    port: read('PORT', 3000, integer(0, 65_535)),
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
    bodyLimit: read('BODY_LIMIT', 102_400, integer(1, 104_857_600)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
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
  if (problems.length > 0) throw new StartError(`Invalid configuration: ${problems.join('; ')}.`);
  return Object.freeze(config);
}
