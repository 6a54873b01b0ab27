import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { readConfig } from '../../src/config.js';
import { StartError } from '../../src/platform/process/start-error.js';

const DEFAULTS = {
  host: '0.0.0.0',
  port: 3000,
  adminPort: undefined,
  applicationName: 'pet-store',
  databaseUrl: 'sqlite:data/pets.sqlite',
  databaseReadUrls: [],
  databaseReadMaxLag: 10_000,
  databasePoolSize: 10,
  databaseConnectTimeout: 1600,
  databaseStatementTimeout: 1600,
  databasePooler: false,
  migrateOnStart: false,
  apiKeys: [],
  rateLimit: undefined,
  trustedProxies: undefined,
  bodyLimit: 102_400,
  logLevel: 'info',
  logRequests: 'errors',
  corsOrigins: [],
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  shutdownGrace: 0,
  shutdownTimeout: 10_000,
};

function errorOf(env: NodeJS.ProcessEnv): Error {
  try {
    readConfig(env);
  } catch (error) {
    return error as Error;
  }
  throw new Error('the configuration was accepted');
}

/** The names of the variables that the code reads. */
function variables(): string[] {
  const names = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return [...names];
}

function repositoryFile(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

describe('readConfig', () => {
  it('has a default for every variable', () => {
    expect(readConfig({})).toStrictEqual(DEFAULTS);
  });

  it.each(['', ' ', '\t\n'])('treats an empty variable as absent: %j', (value) => {
    const env = Object.fromEntries(variables().map((name) => [name, value]));
    expect(readConfig(env)).toStrictEqual(DEFAULTS);
  });

  it('reads every variable', () => {
    expect(
      readConfig({
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_PORT: '9464',
        DATABASE_URL: 'sqlite:/var/lib/pets.sqlite',
        DATABASE_READ_URL: '',
        DATABASE_READ_MAX_LAG_MS: '8',
        DATABASE_POOL_SIZE: '5',
        DATABASE_CONNECT_TIMEOUT_MS: '6',
        DATABASE_STATEMENT_TIMEOUT_MS: '7',
        DATABASE_POOLER: 'true',
        MIGRATE_ON_START: 'true',
        API_KEYS: 'first,second',
        RATE_LIMIT: '600/2m',
        TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        BODY_LIMIT: '1000',
        LOG_LEVEL: 'debug',
        LOG_REQUESTS: 'all',
        CORS_ORIGINS: 'https://shop.example,http://localhost:8080',
        HEADERS_TIMEOUT_MS: '1',
        REQUEST_TIMEOUT_MS: '2',
        KEEP_ALIVE_TIMEOUT_MS: '3',
        SHUTDOWN_GRACE_MS: '5',
        SHUTDOWN_TIMEOUT_MS: '4',
      }),
    ).toStrictEqual({
      host: '127.0.0.1',
      port: 0,
      adminPort: 9464,
      applicationName: 'pet-store',
      databaseUrl: 'sqlite:/var/lib/pets.sqlite',
      databaseReadUrls: [],
      databaseReadMaxLag: 8,
      databasePoolSize: 5,
      databaseConnectTimeout: 6,
      databaseStatementTimeout: 7,
      databasePooler: true,
      migrateOnStart: true,
      apiKeys: ['first', 'second'],
      rateLimit: { requests: 600, window: 120 },
      trustedProxies: expect.any(BlockList),
      bodyLimit: 1000,
      logLevel: 'debug',
      logRequests: 'all',
      corsOrigins: ['https://shop.example', 'http://localhost:8080'],
      headersTimeout: 1,
      requestTimeout: 2,
      keepAliveTimeout: 3,
      shutdownGrace: 5,
      shutdownTimeout: 4,
    });
  });

  it('ignores white space and empty items', () => {
    expect(
      readConfig({ PORT: ' 8080\n', API_KEYS: ' first , ,second, ', CORS_ORIGINS: ', https://shop.example ,' }),
    ).toStrictEqual({ ...DEFAULTS, port: 8080, apiKeys: ['first', 'second'], corsOrigins: ['https://shop.example'] });
  });

  it('ignores other variables', () => {
    expect(readConfig({ Port: '1', port: '2', PORT_: '3', NODE_ENV: 'x' })).toStrictEqual(DEFAULTS);
  });

  it('reads the environment of the process by default', () => {
    expect(readConfig()).toStrictEqual(readConfig(process.env));
  });

  it('refuses the same port for operations and metrics, unless both are chosen freely', () => {
    expect(readConfig({ PORT: '0', ADMIN_PORT: '0' })).toMatchObject({ port: 0, adminPort: 0 });
    expect(errorOf({ ADMIN_PORT: '3000' }).message).toBe('Invalid configuration: ADMIN_PORT must differ from PORT.');
  });

  it('refuses to log requests when it logs nothing of their level', () => {
    expect(readConfig({ LOG_LEVEL: 'warn', LOG_REQUESTS: 'none' }).logRequests).toBe('none');
    expect(errorOf({ LOG_LEVEL: 'warn', LOG_REQUESTS: 'errors' }).message).toBe(
      'Invalid configuration: LOG_REQUESTS must be none when LOG_LEVEL is warn, because requests are logged at level info.',
    );
  });

  it.each([
    ['1/1s', 1, 1],
    ['600/60s', 600, 60],
    ['20/15m', 20, 900],
    ['9999999/24h', 9_999_999, 86_400],
  ])('reads the rate limit %s', (text, requests, window) => {
    expect(readConfig({ RATE_LIMIT: text }).rateLimit).toStrictEqual({ requests, window });
  });

  it.each(['600', '0/60s', '600/0s', '600/60', '600/60ms', '1.5/1s', '-1/1s', '10000000/1s', '600/25h', '600/60s/1'])(
    'refuses the rate limit %s',
    (text) => {
      expect(errorOf({ RATE_LIMIT: text, TRUSTED_PROXIES: '10.0.0.1' }).message).toBe(
        `Invalid configuration: RATE_LIMIT must be requests and a time of at most 24h, such as 600/60s or 10000/1h, not "${text}".`,
      );
    },
  );

  it.each([
    'proxy',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '::1/129',
    '::ffff:a00:1',
    '::ffff:0:0/96',
  ])('refuses the trusted proxy %s', (text) => {
    expect(errorOf({ RATE_LIMIT: '1/1s', TRUSTED_PROXIES: `10.0.0.1,${text}` }).message).toBe(
      `Invalid configuration: TRUSTED_PROXIES must be addresses and networks such as 10.0.0.0/8 separated by commas, not "${text}".`,
    );
  });

  it('refuses trusted proxies where no address is used', () => {
    expect(errorOf({ TRUSTED_PROXIES: '10.0.0.1' }).message).toBe(
      'Invalid configuration: TRUSTED_PROXIES requires RATE_LIMIT, because nothing else uses the address of a client.',
    );
  });

  it('reads the addresses of several standbys', () => {
    const databaseUrl = 'postgres://database.example/pets';
    const databaseReadUrls = ['postgres://one.example/pets', 'postgres://two.example/pets'];
    expect(
      readConfig({ DATABASE_URL: databaseUrl, DATABASE_READ_URL: ` ${databaseReadUrls.join(' , ')} ` }),
    ).toStrictEqual({ ...DEFAULTS, databaseUrl, databaseReadUrls });
  });

  it('returns a frozen object', () => {
    expect(() => Object.assign(readConfig({}), { port: 1 })).toThrow(TypeError);
  });

  it.each([
    ['PORT', '65535', { port: 65_535 }],
    ['BODY_LIMIT', '1', { bodyLimit: 1 }],
    ['BODY_LIMIT', '16777216', { bodyLimit: 16_777_216 }],
    ['HEADERS_TIMEOUT_MS', '3600000', { headersTimeout: 3_600_000 }],
    ['API_KEYS', 'A-z0.9_~+/==', { apiKeys: ['A-z0.9_~+/=='] }],
    ['DATABASE_URL', 'sqlite:pets.sqlite', { databaseUrl: 'sqlite:pets.sqlite' }],
    ...[
      'postgres://localhost/pets',
      'postgresql://pets@[::1]:5433/pets',
      'postgres://pets:correct-horse@%2Fvar%2Frun%2Fpostgresql:5433/pets',
      'postgres://pets:correct-horse@localhost/pets?host=/var/run/postgresql',
      'postgres://pets:correct%20horse@database.example/pets?sslmode=verify-full&sslrootcert=/etc/ssl/pets.pem',
      'postgres://pets@database.example/pets?sslmode=require&channel_binding=require&connect_timeout=15',
      'postgres://pets@database.example/pets?sslmode=disable',
      'postgres://pets@database.example/pets?ssl=true&application_name=pets&options=-c%20geqo%3Doff',
    ].map((databaseUrl) => ['DATABASE_URL', databaseUrl, { databaseUrl }]),
    ['DATABASE_READ_MAX_LAG_MS', '1', { databaseReadMaxLag: 1 }],
    ['DATABASE_POOL_SIZE', '2', { databasePoolSize: 2 }],
    ['DATABASE_POOL_SIZE', '1000', { databasePoolSize: 1000 }],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '1', { databaseStatementTimeout: 1 }],
    ['DATABASE_POOLER', 'false', {}],
    ['MIGRATE_ON_START', 'true', { migrateOnStart: true }],
    ...['info', 'debug', 'trace'].map((logLevel) => ['LOG_LEVEL', logLevel, { logLevel }]),
    // Requests are logged at level info.
    ...['silent', 'fatal', 'error', 'warn'].map((logLevel) => [
      'LOG_LEVEL',
      logLevel,
      { logLevel, logRequests: 'none' },
    ]),
  ] as [string, string, object][])('accepts %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toStrictEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    ['PORT', '65536', 'must be an integer from 0 to 65535, not "65536"'],
    ['PORT', '-1', 'must be an integer from 0 to 65535, not "-1"'],
    ['PORT', '80.5', 'must be an integer from 0 to 65535, not "80.5"'],
    ['PORT', '0x50', 'must be an integer from 0 to 65535, not "0x50"'],
    ['PORT', '8e1', 'must be an integer from 0 to 65535, not "8e1"'],
    ['PORT', 'http', 'must be an integer from 0 to 65535, not "http"'],
    ['PORT', '/run/pets.sock', 'must be an integer from 0 to 65535, not "/run/pets.sock"'],
    ['BODY_LIMIT', '0', 'must be an integer from 1 to 16777216, not "0"'],
    ['BODY_LIMIT', '16777217', 'must be an integer from 1 to 16777216, not "16777217"'],
    ['BODY_LIMIT', '100kb', 'must be an integer from 1 to 16777216, not "100kb"'],
    ['HEADERS_TIMEOUT_MS', '0', 'must be an integer from 1 to 3600000, not "0"'],
    ['REQUEST_TIMEOUT_MS', '3600001', 'must be an integer from 1 to 3600000, not "3600001"'],
    ['KEEP_ALIVE_TIMEOUT_MS', '5s', 'must be an integer from 1 to 3600000, not "5s"'],
    ['SHUTDOWN_GRACE_MS', '-1', 'must be an integer from 0 to 3600000, not "-1"'],
    ['SHUTDOWN_TIMEOUT_MS', '-5', 'must be an integer from 1 to 3600000, not "-5"'],
    ['LOG_LEVEL', 'INFO', 'must be one of silent, fatal, error, warn, info, debug, trace, not "INFO"'],
    ['LOG_LEVEL', 'toString', 'must be one of silent, fatal, error, warn, info, debug, trace, not "toString"'],
    ['LOG_REQUESTS', 'some', 'must be one of all, errors, none, not "some"'],
    ['CORS_ORIGINS', '*', 'must be origins such as https://shop.example separated by commas, not "*"'],
    [
      'CORS_ORIGINS',
      'shop.example',
      'must be origins such as https://shop.example separated by commas, not "shop.example"',
    ],
    [
      'CORS_ORIGINS',
      'https://a.example,https://b.example/',
      'must be origins such as https://shop.example separated by commas, not "https://b.example/"',
    ],
    ...[
      'sqlite:',
      'sqlite::memory:',
      'pets.sqlite',
      'mysql://localhost/pets',
      'postgres',
      'postgres://a:b',
      'postgres://a:%zz@b/c',
    ].map((url): [string, string, string] => [
      'DATABASE_URL',
      url,
      'must be "sqlite:" and a file name, or a "postgres://" URL with a percent-encoded password',
    ]),
    ...[
      'sslMode=verify-full',
      'tls=true&sslmode=verify-full',
      'sslmode=verify-full&ssl_root_cert=/a.pem',
      'sslmode=verify-full&sslmode=disable',
    ].map((parameters): [string, string, string] => [
      'DATABASE_URL',
      `postgres://localhost/pets?${parameters}`,
      `must have only known parameters such as sslmode, in lower case and each once (parameter number ${/^(tls|sslM)/.test(parameters) ? 1 : 2} is unknown or repeated)`,
    ]),
    ...['', 'bogus', 'allow', 'Disable'].map((mode): [string, string, string] => [
      'DATABASE_URL',
      `postgres://localhost/pets?sslmode=${mode}`,
      'has a wrong sslmode: it must be one of disable, prefer, require, verify-ca, verify-full, no-verify',
    ]),
    [
      'DATABASE_URL',
      'postgres://localhost/pets?ssl=false',
      'has a wrong ssl: use sslmode instead, one of disable, prefer, require, verify-ca, verify-full, no-verify',
    ],
    [
      'DATABASE_READ_URL',
      'postgres://localhost/pets,postgres://standby.example/pets?sslMode=verify-full',
      'must have only known parameters such as sslmode, in lower case and each once (parameter number 1 is unknown or repeated)',
    ],
    [
      'DATABASE_READ_URL',
      'postgres://localhost/pets,sqlite:pets.sqlite',
      'must be "postgres://" URLs with percent-encoded passwords, separated by commas (number 2 is not)',
    ],
    ['DATABASE_READ_URL', 'postgres://localhost/pets', 'requires DATABASE_URL to be a PostgreSQL address'],
    ['DATABASE_READ_MAX_LAG_MS', '0', 'must be an integer from 1 to 3600000, not "0"'],
    ['DATABASE_POOL_SIZE', '1', 'must be an integer from 2 to 1000, not "1"'],
    ['DATABASE_POOL_SIZE', '1001', 'must be an integer from 2 to 1000, not "1001"'],
    ['DATABASE_CONNECT_TIMEOUT_MS', '0', 'must be an integer from 1 to 3600000, not "0"'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '1s', 'must be an integer from 1 to 3600000, not "1s"'],
    ['DATABASE_POOLER', 'yes', 'must be one of true, false, not "yes"'],
    ['MIGRATE_ON_START', '1', 'must be one of true, false, not "1"'],
    ['API_KEYS', 'a key', 'must use only letters, digits and -._~+/ in each key (key number 1 does not)'],
    ['API_KEYS', 'first,sécond', 'must use only letters, digits and -._~+/ in each key (key number 2 does not)'],
    ['API_KEYS', 'first, ,"third"', 'must use only letters, digits and -._~+/ in each key (key number 2 does not)'],
  ])('rejects %s=%s', (name, value, problem) => {
    const error = errorOf({ [name]: value });
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toBe(`Invalid configuration: ${name} ${problem}.`);
  });

  it('reports all invalid variables in one line', () => {
    const { message } = errorOf({
      HOST: 'localhost',
      PORT: 'x',
      ADMIN_PORT: 'x',
      DATABASE_URL: 'x',
      DATABASE_READ_URL: 'x',
      DATABASE_READ_MAX_LAG_MS: 'x',
      DATABASE_POOL_SIZE: 'x',
      DATABASE_CONNECT_TIMEOUT_MS: 'x',
      DATABASE_STATEMENT_TIMEOUT_MS: 'x',
      DATABASE_POOLER: 'x',
      MIGRATE_ON_START: 'x',
      API_KEYS: '{x}',
      RATE_LIMIT: 'x',
      TRUSTED_PROXIES: 'x',
      BODY_LIMIT: 'x',
      LOG_LEVEL: 'x',
      LOG_REQUESTS: 'x',
      CORS_ORIGINS: 'x',
      HEADERS_TIMEOUT_MS: 'x',
      REQUEST_TIMEOUT_MS: 'x',
      KEEP_ALIVE_TIMEOUT_MS: 'x',
      SHUTDOWN_GRACE_MS: 'x',
      SHUTDOWN_TIMEOUT_MS: 'x',
    });
    const problems = message.replace(/^Invalid configuration: /, '').split('; ');
    expect(problems.map((problem) => problem.split(' ')[0])).toStrictEqual(
      variables().filter((name) => name !== 'HOST'),
    );
    expect(message).not.toContain('\n');
  });

  it.each([
    ['API_KEYS', 'correct-horse,battery staple'],
    ['API_KEYS', 'correct-horse;battery-staple'],
    ['DATABASE_URL', 'postgres://pets:correct-horse@database.example:port/pets?password=battery-staple'],
    ['DATABASE_URL', 'postgres:pets:correct-horse@database.example/pets'],
    ['DATABASE_URL', 'postgres:///pets:correct-horse@database.example/pets'],
    ['DATABASE_URL', 'postgres://pets:1/correct-horse@database.example/pets'],
    ['DATABASE_URL', 'postgres://pets:12#correct-horse@database.example/pets'],
    ['DATABASE_URL', 'postgres://pets:12?correct-horse@database.example/pets'],
    ['DATABASE_URL', 'sqlite::correct-horse'],
    ['DATABASE_URL', 'correct-horse'],
    ['DATABASE_READ_URL', 'postgres://pets:correct-horse@standby.example/pets,battery-staple'],
  ])('never repeats the secrets of %s: %s', (name, value) => {
    const error = errorOf({ [name]: value, PORT: 'x' });
    expect(error.message).toMatch(new RegExp(`^Invalid configuration: .*${name} m`));
    expect(`${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`).not.toMatch(/horse|staple/);
  });

  it('never repeats a valid secret when another variable is invalid', () => {
    expect(errorOf({ API_KEYS: 'correct-horse', PORT: 'x' }).message).toBe(
      'Invalid configuration: PORT must be an integer from 0 to 65535, not "x".',
    );
  });
});

describe('the variables', () => {
  it('are all in .env.example, with their defaults', () => {
    const lines = repositoryFile('.env.example').split('\n');
    const assignments = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split('=') as [string, string]);
    expect(assignments.map(([name]) => name).toSorted()).toStrictEqual(variables().toSorted());
    expect(readConfig(Object.fromEntries(assignments))).toStrictEqual(DEFAULTS);
    // A copy of the file in which only the level is changed must start.
    expect(readConfig({ ...Object.fromEntries(assignments), LOG_LEVEL: 'warn' }).logRequests).toBe('none');
  });

  it('are all in docs/configuration.md, with their defaults', () => {
    const rows = [...repositoryFile('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`(.*?)`|none) +\|/gm)];
    expect(rows.map(([, name]) => name!).toSorted()).toStrictEqual(variables().toSorted());
    expect(readConfig(Object.fromEntries(rows.map(([, name, value]) => [name, value])))).toStrictEqual(DEFAULTS);
  });
});
