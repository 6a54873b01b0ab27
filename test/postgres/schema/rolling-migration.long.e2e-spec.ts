import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import {
  type BuiltService,
  errorMessageOf,
  type End,
  runCommand,
  startService,
  stopService,
} from '../../support/built-service.js';
import { outcome } from '../../properties/outcome.js';
import { addPet } from '../../support/pets.js';
import { createDatabase, onServer, type TestDatabase } from '../../support/databases/databases.js';
import { NEXT_MIGRATIONS, nextRelease } from './next-release.js';
import { fill, nameOf } from '../copy/copies.js';
import { statements } from '../copy/stored-rows.js';

/** Milliseconds for several processes, and possibly a build. */
const TIME = 240_000;
const PETS = 50_000;
/** Clients of each service, without pauses. */
const CLIENTS = 4;
/** Limits so long that a request fails only if it waits for the whole migration. */
const LIMITS = { DATABASE_CONNECT_TIMEOUT_MS: '4000', DATABASE_STATEMENT_TIMEOUT_MS: '4000' };
/** Milliseconds that a migration must wait for a backup; longer than any request may take. */
const BACKUP = 6000;
const WAITING = `SELECT FROM "pg_locks" WHERE "relation" = '"pets"'::regclass AND "mode" = 'AccessExclusiveLock' AND NOT "granted"`;

describe('npm run migrate of the next release while services of this one serve', () => {
  let next: string;
  let database: TestDatabase;
  let services: BuiltService[];

  beforeAll(async () => {
    next = await nextRelease();
    database = await createDatabase();
    await fill(database.url, PETS);
    // An administrator's limits must apply neither to a migration nor to the lock that it holds.
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
      await onServer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${limit} = '1s'`);
    }
    services = [await startService(database.url, LIMITS), await startService(database.url, LIMITS)];
  }, TIME);

  afterAll(() => database.drop());

  const migrate = (): Promise<End> => runCommand(database.url, [join(next, 'dist/src/commands/migrate.js')]);

  /** Sends requests of all kinds during the work. Returns the response statuses and the longest response time. */
  async function whileServing(work: () => Promise<void>): Promise<{ statuses: number[]; longest: number }> {
    const stopping = new AbortController();
    const statuses = new Set<number>();
    let longest = 0;
    const serve = async ({ api }: BuiltService): Promise<void> => {
      const calls = [
        () => api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
        () => api.get('/v1/pets?limit=5'),
        () => api.get(`/v1/pets/${PETS / 2}`),
        () => api.get('/v1/pets?status=sold&limit=5'),
      ];
      for (let count = 0; !stopping.signal.aborted; count += 1) {
        const start = performance.now();
        statuses.add((await calls[count % calls.length]!()).status);
        longest = Math.max(longest, performance.now() - start);
      }
    };
    const clients = services.flatMap((service) => Array.from({ length: CLIENTS }, () => serve(service)));
    await work();
    stopping.abort();
    await Promise.all(clients);
    return { statuses: [...statuses].toSorted((a, b) => a - b), longest };
  }

  it(
    'fails no request, even during a backup of the tables',
    async () => {
      const backup = new Connection({ connectionString: database.url });
      backup.on('error', () => {});
      await backup.connect();
      await backup.query('SET idle_in_transaction_session_timeout = 0');
      await backup.query('BEGIN; SELECT FROM "pets" LIMIT 1');
      let ends: End[] = [];
      const { statuses, longest } = await whileServing(async () => {
        await delay(500);
        // Like two machines that start together.
        const migrations = Promise.all([migrate(), migrate()]);
        while ((await backup.query(WAITING)).rowCount === 0) await delay(10);
        expect(await Promise.race([migrations, delay(BACKUP, 'both wait')])).toBe('both wait');
        await backup.query('COMMIT');
        ends = await migrations;
        await delay(500);
      });
      await backup.end();
      const address = nameOf(database.url);
      // Both may wait longer than the seconds after which they say so: one for the backup, one for the other.
      const end = { code: 0, signal: null, stderr: expect.stringMatching(/^(Waiting for [^\n]+\n)*$/) };
      expect(ends.toSorted((a, b) => a.stdout.localeCompare(b.stdout))).toEqual([
        { ...end, stdout: `Ran ${NEXT_MIGRATIONS.join(', ')}; the database ${address} is up to date.\n` },
        { ...end, stdout: `The database ${address} was up to date; no migration ran.\n` },
      ]);
      expect(statuses).toEqual([200, 201]);
      // A request that had waited for the end of the backup would have taken at least BACKUP.
      expect(longest).toBeLessThan(BACKUP);
      const [names] = await statements(database.url, 'SELECT "name" FROM "migrations" ORDER BY "id"');
      expect(names!.slice(-2)).toEqual(NEXT_MIGRATIONS.map((name) => ({ name })));
    },
    TIME,
  );

  it(
    'leaves the services ready until they stop, but they cannot start again',
    async () => {
      for (const { api } of services) {
        expect((await api.get('/ready')).status).toBe(200);
        await addPet(api);
      }
      const newer = await startService(database.url, {}, [join(next, 'dist/src/main.js')]);
      const added = await addPet(newer.api, { name: 'Ada' });
      for (const { api } of services) {
        expect(outcome(await api.get(`/v1/pets/${added.id}`))).toEqual({ status: 200, body: added });
      }
      await Promise.all([...services, newer].map(stopService));
      expect(errorMessageOf(await runCommand(database.url, ['main.js']))).toBe(
        `The database ${nameOf(database.url)} was migrated by a newer release (it has ${NEXT_MIGRATIONS[0]}); start that release.`,
      );
    },
    TIME,
  );
});
