import { beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  errorMessageOf,
  type Environment,
  runService,
  startService,
  stopService,
  temporaryDirectory,
} from '../support/built-service.js';
import { whileLocked } from '../support/outages.js';
import { DATABASE_UNAVAILABLE, outcome } from '../properties/outcome.js';
import { addPets, numbered, walk } from '../support/pets.js';
import { newDatabaseFile, TIME, withOccupiedPort } from './starts.js';

/** Bytes up to which a start checks the whole database, and a number of pets that exceeds them. */
const LARGE = 16 * 2 ** 20;
const LARGE_PETS = 50_000;
/** A valid database, written by the service, and its pets. */
let valid: string;
let stored: readonly unknown[];

beforeAll(async () => {
  valid = newDatabaseFile();
  const service = await startService(valid);
  stored = await addPets(service.api, numbered(300));
  await stopService(service);
}, TIME);

/** A copy of the valid database that the test may damage. */
function copyOfValid(): string {
  const file = newDatabaseFile();
  copyFileSync(valid, file);
  return file;
}

function change(file: string, sql: string): string {
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return file;
}

/** A valid database that is too large to be checked as a whole at start. */
function large(): string {
  const pets = `WITH RECURSIVE "ids" ("id") AS (VALUES (1001) UNION ALL SELECT "id" + 1 FROM "ids" LIMIT ${LARGE_PETS})
    INSERT INTO "pets" SELECT "id", hex(zeroblob(200)), 7, NULL FROM "ids"; PRAGMA wal_checkpoint(TRUNCATE);`;
  const file = change(copyOfValid(), pets);
  expect(statSync(file).size).toBeGreaterThan(LARGE);
  return file;
}

function changeBytes(file: string, damage: (bytes: Buffer) => Buffer): string {
  writeFileSync(file, damage(readFileSync(file)));
  return file;
}

function write(bytes: Buffer | string): string {
  const file = newDatabaseFile();
  writeFileSync(file, bytes);
  return file;
}

async function startError(file: string, env: Environment = {}): Promise<string> {
  return errorMessageOf(await runService(file, env));
}

describe('an unusable database file', () => {
  it.each<[string, () => string, RegExp]>([
    ['garbage', () => write('no database at all '.repeat(1000)), /is corrupt or not an SQLite file/],
    ['a short text', () => write('text'), /is corrupt or not an SQLite file/],
    ['the header of SQLite alone', () => write('SQLite format 3\0'), /is corrupt or not an SQLite file/],
    ['a database cut in half', () => write(readFileSync(valid).subarray(0, readFileSync(valid).length / 2)), /corrupt/],
    ['a database cut inside its first page', () => write(readFileSync(valid).subarray(0, 2000)), /corrupt/],
    ['a database with corrupt pages', () => write(readFileSync(valid).fill(0xa5, 8192, 20_000)), /corrupt/],
    ['a large database cut in half', () => changeBytes(large(), (bytes) => bytes.subarray(0, LARGE / 2)), /corrupt/],
    ['a database of a newer release', () => change(copyOfValid(), NEWER), /was migrated by a newer release/],
    [
      'a database of another application',
      () => change(write(''), 'CREATE TABLE "pets" ("x")'),
      /belongs to another application/,
    ],
    [
      'a similar database of another application',
      () => change(write(''), FOREIGN),
      /belongs to another application|newer release/,
    ],
  ])('prevents the start and stays unchanged: %s', async (_, make, pattern) => {
    const file = make();
    const before = readFileSync(file);
    const error = await startError(file);
    expect(error).toMatch(pattern);
    expect(error).toContain(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('prevents the start and stays unchanged when another process locks it', async () => {
    const file = copyOfValid();
    const before = readFileSync(file);
    const holder = new Database(file);
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE; COMMIT');
    try {
      expect(await startError(file)).toMatch(/is locked by another process/);
      // Reading the file here would release the lock: closing a descriptor drops all POSIX locks of the process on it.
    } finally {
      holder.close();
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('prevents the start and stays unchanged when it is empty and another process writes to it', async () => {
    const file = write('');
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    try {
      expect(await startError(file)).toMatch(/locked/);
    } finally {
      holder.close();
    }
    expect(readFileSync(file)).toHaveLength(0);
  });

  it('prevents the first start, which must create a key, while another process writes to it', async () => {
    const file = copyOfValid();
    await whileLocked(`sqlite:${file}`, async () => {
      expect(await startError(file, { API_KEYS: undefined, LOG_LEVEL: 'warn' })).toBe(
        'The database is unavailable; try again (SQLITE_BUSY: database is locked).',
      );
    });
  });

  const NEWER = `INSERT INTO "migrations" ("timestamp", "name") VALUES (9999999999999, 'AddTails9999999999999')`;
  const FOREIGN = `CREATE TABLE "migrations" ("id" INTEGER, "timestamp" INTEGER, "name" TEXT);
    INSERT INTO "migrations" VALUES (1, 1, 'Foreign1'); CREATE TABLE "pets" ("x");`;
});

describe('a usable database file', () => {
  it('allows a start while another process writes to it', async () => {
    const file = copyOfValid();
    await whileLocked(`sqlite:${file}`, async () => {
      const service = await startService(file);
      expect((await service.api.get('/v1/pets?limit=1')).status).toBe(200);
      await stopService(service);
    });
  });

  it('may have the unfinished transaction of a process that was killed, which the start undoes', async () => {
    const file = newDatabaseFile();
    const writer = new Database(copyOfValid());
    writer.pragma('journal_mode = DELETE');
    // Without a cache, SQLite writes changed pages to the file before the transaction ends.
    writer.pragma('cache_size = 1');
    writer.exec(`BEGIN; UPDATE "pets" SET "name" = hex(zeroblob(1000))`);
    for (const suffix of ['', '-journal']) copyFileSync(`${writer.name}${suffix}`, `${file}${suffix}`);
    writer.close();
    const service = await startService(file);
    expect(await walk(service.api, '/v1/pets?limit=100')).toEqual(stored);
    await stopService(service);
  });

  it('may be large and have corrupt pages: only reading those pages returns 503', async () => {
    const service = await startService(changeBytes(large(), (bytes) => bytes.fill(0xa5, 2 ** 20, LARGE)));
    expect(outcome(await service.api.get(`/v1/pets/${LARGE_PETS / 2}`))).toStrictEqual(DATABASE_UNAVAILABLE);
    await stopService(service);
  });
});

describe('an unwritable location', () => {
  it.each<[string, () => string]>([
    ['a directory', () => temporaryDirectory()],
    ['a file below a file', () => join(write('text'), 'pets.sqlite')],
    ['a system directory', () => '/proc/pets.sqlite'],
    ['a directory that cannot be created', () => '/proc/pets/pets.sqlite'],
    ['a device', () => '/dev/null'],
    ['a name that is too long', () => join(temporaryDirectory(), 'x'.repeat(300))],
  ])(
    'prevents the start: %s',
    async (_, path) => {
      const file = path();
      expect(await startError(file)).toContain(file);
    },
    TIME,
  );
});

describe('an invalid environment', () => {
  it('prevents the start with one sentence that names every invalid variable and no secret', async () => {
    const error = await startError(newDatabaseFile(), {
      PORT: '65536',
      DATABASE_URL: 'postgres://pets:secret-phrase@localhost:port/pets',
      API_KEYS: 'good-key,secret key',
      BODY_LIMIT: '1e3',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: 'example.com',
      HEADERS_TIMEOUT_MS: '-1',
      REQUEST_TIMEOUT_MS: '1.5',
      KEEP_ALIVE_TIMEOUT_MS: 'soon',
      SHUTDOWN_GRACE_MS: 'none',
      SHUTDOWN_TIMEOUT_MS: '99999999999999999999',
    });
    const named = ['PORT', 'DATABASE_URL', 'API_KEYS', 'BODY_LIMIT', 'LOG_LEVEL', 'CORS_ORIGINS'];
    const timeouts = [
      'HEADERS_TIMEOUT_MS',
      'REQUEST_TIMEOUT_MS',
      'KEEP_ALIVE_TIMEOUT_MS',
      'SHUTDOWN_GRACE_MS',
      'SHUTDOWN_TIMEOUT_MS',
    ];
    for (const name of [...named, ...timeouts]) expect(error).toContain(`${name} `);
    expect(error).not.toMatch(/secret|phrase|good-key/);
  });

  it('prevents the start before a database file is created', async () => {
    const file = newDatabaseFile();
    expect(await startError(file, { PORT: '65536' })).toContain('PORT ');
    expect(existsSync(file)).toBe(false);
  });
});

describe('an unavailable address', () => {
  it('prevents the start and leaves the database unchanged when the port is in use', async () => {
    await withOccupiedPort(async (port) => {
      const file = copyOfValid();
      const before = readFileSync(file);
      expect(await startError(file, { PORT: String(port) })).toBe(
        `Port ${port} is in use; stop the process that listens on it or set another PORT.`,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  });

  // Resolving these hosts needs no network.
  it.each(['203.0.113.1', 'fe80::1%nowhere', 'x'.repeat(64)])(
    'prevents the start and is reported: HOST %s',
    async (host) => {
      expect(await startError(copyOfValid(), { HOST: host })).toContain(`Cannot listen on HOST ${host}`);
      // Its server is the first one that listens.
      const env = { HOST: host, ADMIN_PORT: '0' };
      expect(await startError(copyOfValid(), env)).toContain(`Cannot listen on HOST ${host}`);
    },
    TIME,
  );
});
