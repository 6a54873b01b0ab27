import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuiltService, runCommand, spawnProcess, startService, stopService } from '../../support/built-service.js';
import { addPet, addPets, type NewPet, numbered, type Pet, walk } from '../../support/pets.js';
import { newDatabaseFile, TIME } from '../starts.js';

/** The bytes to which a checkpoint shortens the write-ahead log. */
const LOG_LIMIT = 64 * 2 ** 20;
/** Bytes of a log that is worth a line. */
const LARGE_LOG = 300 * 2 ** 20;
/** Milliseconds for which a log must be large before it is reported. */
const LASTING = 10_000;
const ROUNDS = 20;
/** Milliseconds for which a step, which waits for no disk, keeps its lock. */
const LOCKED = 50;
/** Milliseconds of a step that may have held its lock for nearly as long as the service waits for one, which is 500 ms. */
const LONG_STEP = 400;

let file: string;
let service: BuiltService;

async function start(): Promise<void> {
  file = newDatabaseFile();
  service = await startService(file, { LOG_LEVEL: 'info' });
}

beforeEach(start, TIME);

afterEach(async () => {
  service.kill('SIGKILL');
  await service.exit;
});

/**
 * Runs steps in a process that opens and closes the database for each one, while the service creates pets. Begins anew, with
 * another database, if requests were refused when the machine was too slow for a step.
 */
async function createDuring(steps: readonly string[]): Promise<Pet[]> {
  const script = `import Database from 'better-sqlite3';
    import { setTimeout as delay } from 'node:timers/promises';
    let longest = 0;
    for (const step of Array(${ROUNDS}).fill(${JSON.stringify(steps)}).flat()) {
      const start = performance.now();
      const database = new Database(${JSON.stringify(file)});
      database.pragma('synchronous = OFF');
      database.exec(step);
      database.exec('BEGIN IMMEDIATE');
      await delay(${LOCKED});
      database.exec('COMMIT');
      database.close();
      longest = Math.max(longest, performance.now() - start);
      await delay(20);
    }
    console.log(longest);`;
  const args = ['--input-type=module', '-e', script];
  const { child, exit, output } = spawnProcess(process.execPath, args, { cwd: process.cwd() });
  const pets: Pet[] = [];
  const refusals: string[] = [];
  const create = (pet: Partial<NewPet>) =>
    addPet(service.api, pet).then(
      (added) => void pets.push(added),
      (error: Error) => void refusals.push(error.message),
    );
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.all(numbered(4).map(create));
    const ready = await service.api.get('/ready');
    if (ready.status !== 200) refusals.push(ready.text);
  }
  expect({ ...(await exit), stderr: output.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  if (refusals.length > 0 && Number(output.stdout) > LONG_STEP) {
    await stopService(service);
    await start();
    return createDuring(steps);
  }
  expect(refusals).toEqual([]);
  return pets;
}

/** One large transaction of another connection, which also copies it to the database, if nobody reads. */
function commitMuch(bytes: number): void {
  const other = new Database(file);
  other.pragma('synchronous = OFF');
  other.exec(`CREATE TABLE "toys" AS SELECT zeroblob(${bytes})`);
  other.pragma('wal_checkpoint(PASSIVE)');
  other.close();
}

/** The messages in the log of the service, without the one about the new database. */
const logged = (): string[] =>
  service.output.stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { context: string; msg: string })
    .filter(({ context }) => context !== 'Database')
    .map(({ msg }) => msg);

/** Creates pets until there are that many messages, for a minute at most. */
async function createUntilLogged(messages: number): Promise<Pet[]> {
  const pets: Pet[] = [];
  for (const end = Date.now() + 60_000; logged().length < messages && Date.now() < end;) {
    pets.push(...(await addPets(service.api, numbered(1))));
    await delay(20);
  }
  return pets;
}

/** Nothing was rejected, nothing but `messages` was reported, and a new process finds every pet. */
async function expectKept(pets: readonly Pet[], messages: readonly unknown[] = []): Promise<void> {
  expect(logged()).toEqual(messages);
  await stopService(service);
  const next = await startService(file);
  const stored = await walk(next.api, '/v1/pets?limit=100');
  expect(stored).toEqual(pets.toSorted((a, b) => Number(a.id) - Number(b.id)));
  await stopService(next);
}

describe('a service in use', () => {
  it.each<[string, string[]]>([
    ['copies the log to the database', ['PRAGMA wal_checkpoint(PASSIVE)']],
    ['begins the log anew', ['PRAGMA wal_checkpoint(RESTART)']],
    ['empties the log', ['PRAGMA wal_checkpoint(TRUNCATE)']],
    ['rebuilds the database', ['VACUUM']],
    [
      'lets the database grow and shrink',
      [
        'CREATE TABLE "toys" AS SELECT zeroblob(1000000); PRAGMA wal_checkpoint(TRUNCATE)',
        'DROP TABLE "toys"; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)',
      ],
    ],
  ])('serves every request while another process %s', async (_, steps) => expectKept(await createDuring(steps)), TIME);

  it(
    'serves every request while a command uses its database',
    async () => {
      const before = await addPets(service.api, numbered(3));
      const created = await runCommand(file, ['src/commands/keys.js', 'create', 'shop']);
      expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pets_\w+\n$/) });
      expect((await service.api.get('/ready')).status).toBe(200);
      // Within a second.
      while (logged().length === 0) await delay(20);
      await expectKept([...before, ...(await addPets(service.api, numbered(3)))], ['An API key is accepted.']);
    },
    TIME,
  );

  it(
    'reports once that its write-ahead log keeps growing, and once that it is short again',
    async () => {
      const log = `${file}-wal`;
      const reader = new Database(file);
      reader.exec('BEGIN; SELECT count(*) FROM "pets"');
      commitMuch(LARGE_LOG);
      const pets = await createUntilLogged(1);
      await delay(1500);
      reader.close();
      pets.push(...(await createUntilLogged(2)));
      await expectKept(pets, [
        expect.stringMatching(
          /^\S+-wal has 30\d MiB and may grow until the disk is full: end the other process that reads the database for so long \("fuser \S+-wal" lists it, and this service\)\.$/,
        ),
        `${log} has 64 MiB again.`,
      ]);
    },
    TIME,
  );

  it(
    'reports nothing about its write-ahead log after one large transaction, although the file keeps its size',
    async () => {
      commitMuch(LARGE_LOG);
      await delay(LASTING + 1500);
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(LARGE_LOG);
      expect(logged()).toEqual([]);
      const pets = await addPets(service.api, numbered(2));
      expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(LOG_LIMIT);
      await expectKept(pets);
    },
    TIME,
  );

  it(
    'shortens its write-ahead log to 64 MiB after a larger transaction',
    async () => {
      commitMuch(LOG_LIMIT + 2 ** 20);
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(LOG_LIMIT);
      const pets = await addPets(service.api, numbered(2));
      expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(LOG_LIMIT);
      expect((await service.api.get('/ready')).status).toBe(200);
      await expectKept(pets);
    },
    TIME,
  );
});
