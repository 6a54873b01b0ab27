import { beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import {
  complaintOf,
  type Environment,
  runService,
  startService,
  stopService,
  temporaryDirectory,
} from '../support/built-service.js';
import { whileLocked } from '../support/outages.js';
import { DATABASE_AWAY, outcome } from '../properties/outcome.js';
import { addPets, numbered } from '../support/pets.js';

/** Milliseconds: a start or two, and perhaps the build before them. */
const TIME = 60_000;
/** Bytes up to which a start reads the whole database, and pets that take more. */
const LARGE = 16 * 2 ** 20;
const LARGE_PETS = 50_000;
/** A database that the service itself has written, with some pets. */
let sound: string;

beforeAll(async () => {
  sound = join(temporaryDirectory(), 'pets.sqlite');
  const service = await startService(sound);
  await addPets(service.api, numbered(300));
  await stopService(service);
}, TIME);

/** A copy of the sound database, for the test to spoil. */
function copy(): string {
  const file = join(temporaryDirectory(), 'pets.sqlite');
  copyFileSync(sound, file);
  return file;
}

function change(file: string, sql: string): string {
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return file;
}

/** A sound database, too large for the start to read it whole. */
function large(): string {
  const pets = `WITH RECURSIVE "ids" ("id") AS (VALUES (1001) UNION ALL SELECT "id" + 1 FROM "ids" LIMIT ${LARGE_PETS})
    INSERT INTO "pets" SELECT "id", hex(zeroblob(200)), 7, NULL FROM "ids"; PRAGMA wal_checkpoint(TRUNCATE);`;
  const file = change(copy(), pets);
  expect(statSync(file).size).toBeGreaterThan(LARGE);
  return file;
}

function changeBytes(file: string, spoil: (bytes: Buffer) => Buffer): string {
  writeFileSync(file, spoil(readFileSync(file)));
  return file;
}

function write(bytes: Buffer | string): string {
  const file = join(temporaryDirectory(), 'pets.sqlite');
  writeFileSync(file, bytes);
  return file;
}

async function refusalOf(file: string, env: Environment = {}): Promise<string> {
  return complaintOf(await runService(file, env));
}

describe('a database file that cannot serve', () => {
  it.each<[string, () => string, RegExp]>([
    ['garbage', () => write('no database at all '.repeat(1000)), /is corrupt or not an SQLite file/],
    ['a short text', () => write('text'), /is corrupt or not an SQLite file/],
    ['the header of SQLite alone', () => write('SQLite format 3\0'), /is corrupt or not an SQLite file/],
    ['a database cut in half', () => write(readFileSync(sound).subarray(0, readFileSync(sound).length / 2)), /corrupt/],
    ['a database cut inside its first page', () => write(readFileSync(sound).subarray(0, 2000)), /corrupt/],
    ['a database with spoilt pages', () => write(readFileSync(sound).fill(0xa5, 8192, 20_000)), /corrupt/],
    ['a large database cut in half', () => changeBytes(large(), (bytes) => bytes.subarray(0, LARGE / 2)), /corrupt/],
    ['a database of a newer release', () => change(copy(), NEWER), /was migrated by a newer release/],
    [
      'a database of something else',
      () => change(write(''), 'CREATE TABLE "pets" ("x")'),
      /belongs to another application/,
    ],
    [
      'a database of something like it',
      () => change(write(''), FOREIGN),
      /belongs to another application|newer release/,
    ],
  ])('such as %s stops the start and stays as it was', async (_, make, sentence) => {
    const file = make();
    const before = readFileSync(file);
    const refusal = await refusalOf(file);
    expect(refusal).toMatch(sentence);
    expect(refusal).toContain(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('such as one that another process holds stops the start and stays as it was', async () => {
    const file = copy();
    const before = readFileSync(file);
    const holder = new Database(file);
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE; COMMIT');
    try {
      expect(await refusalOf(file)).toMatch(/is locked by another process/);
      // To open and close the file here, be it to read it, would give the lock away.
    } finally {
      holder.close();
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('such as an empty one that another process writes stops the start and stays as it was', async () => {
    const file = write('');
    const holder = new Database(file);
    holder.exec('BEGIN EXCLUSIVE');
    try {
      expect(await refusalOf(file)).toMatch(/locked/);
    } finally {
      holder.close();
    }
    expect(readFileSync(file)).toHaveLength(0);
  });

  it('is not one that somebody else merely writes to', async () => {
    const file = copy();
    await whileLocked(`sqlite:${file}`, async () => {
      const service = await startService(file);
      expect((await service.api.get('/v1/pets?limit=1')).status).toBe(200);
      await stopService(service);
    });
  });

  it('such as one that somebody else writes to stops the very first start, which has a key to make', async () => {
    const file = copy();
    await whileLocked(`sqlite:${file}`, async () => {
      expect(await refusalOf(file, { API_KEYS: undefined, LOG_LEVEL: 'warn' })).toBe(
        'The database is unavailable; try again.',
      );
    });
  });

  it('is not a large one with spoilt pages: what reads them is answered with 503', async () => {
    const service = await startService(changeBytes(large(), (bytes) => bytes.fill(0xa5, 2 ** 20, LARGE)));
    expect(outcome(await service.api.get(`/v1/pets/${LARGE_PETS / 2}`))).toStrictEqual(DATABASE_AWAY);
    await stopService(service);
  });

  const NEWER = `INSERT INTO "migrations" ("timestamp", "name") VALUES (9999999999999, 'AddTails9999999999999')`;
  const FOREIGN = `CREATE TABLE "migrations" ("id" INTEGER, "timestamp" INTEGER, "name" TEXT);
    INSERT INTO "migrations" VALUES (1, 1, 'Foreign1'); CREATE TABLE "pets" ("x");`;
});

describe('a place that cannot be written', () => {
  it.each<[string, () => string]>([
    ['a directory', () => temporaryDirectory()],
    ['a file below a file', () => join(write('text'), 'pets.sqlite')],
    ['a place that the system keeps to itself', () => '/proc/pets.sqlite'],
    ['a folder that cannot be made', () => '/proc/pets/pets.sqlite'],
    ['a device', () => '/dev/null'],
    ['a name that is too long', () => join(temporaryDirectory(), 'x'.repeat(300))],
  ])(
    'such as %s stops the start',
    async (_, place) => {
      const file = place();
      expect(await refusalOf(file)).toContain(file);
    },
    TIME,
  );
});

describe('an environment that makes no sense', () => {
  it('stops the start with one sentence about all of it, which tells no secret', async () => {
    const file = join(temporaryDirectory(), 'pets.sqlite');
    const refusal = await refusalOf(file, {
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
    for (const name of [...named, ...timeouts]) expect(refusal).toContain(`${name} `);
    expect(refusal).not.toMatch(/secret|phrase|good-key/);
    expect(existsSync(file)).toBe(false);
  });
});

describe('an address that cannot be listened on', () => {
  it('such as a port in use stops the start and leaves the database as it was', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      const { port } = occupant.address() as AddressInfo;
      const file = copy();
      const before = readFileSync(file);
      expect(await refusalOf(file, { PORT: String(port) })).toBe(
        `Port ${port} is in use; stop the process that listens on it or set another PORT.`,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
    } finally {
      occupant.close();
    }
  });

  // None of these is looked up outside this machine.
  it.each(['203.0.113.1', 'fe80::1%nowhere', 'x'.repeat(64)])(
    'such as the HOST %s stops the start and is named',
    async (host) => {
      expect(await refusalOf(copy(), { HOST: host })).toContain(`Cannot listen on HOST ${host}`);
    },
    TIME,
  );
});
