import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { copyFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { type BuiltService, startService } from '../../support/built-service.js';
import { createDatabase, ENGINE } from '../../support/databases/databases.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { repetitions } from '../../support/run/effort.js';
import { statements } from '../../postgres/copy/stored-rows.js';

const ROUNDS = repetitions(50);
const CLIENTS = 16;
/** Maximum milliseconds until a service is killed. */
const LONGEST = 150;
/** On PostgreSQL, a client repeats its request at any of them. */
const REPLICAS = ENGINE === 'postgres' ? 2 : 1;

/** A creation, until it is answered, and what it was answered. */
class Creation {
  readonly key = randomUUID();
  readonly body = { name: this.key, categoryId: 2n ** 63n - 1n };
  answer?: string;

  async send({ api }: BuiltService): Promise<void> {
    const headers = { 'idempotency-key': `"${this.key}"` };
    const response = await api.post('/v1/pets', this.body, { headers }).catch(ignoreReset);
    if (response?.status === 201) this.take(response);
    else if (response) expect([409, 503]).toContain(response.status);
    if (response?.status !== 201) await delay(5);
  }

  take({ text }: HttpResponse): void {
    this.answer ??= text;
    expect(text).toBe(this.answer);
  }
}

function ignoreReset(error: NodeJS.ErrnoException): undefined {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) throw error;
}

/** How many pets of these creations survive if the service ends now. */
async function countStored(url: string, creations: readonly Creation[]): Promise<number> {
  if (creations.length === 0) return 0;
  const database = ENGINE === 'postgres' ? url : copyOfFile(url);
  const names = creations.map(({ key }) => `'${key}'`).join();
  const [rows] = await statements(database, `SELECT 1 FROM "pets" WHERE "name" IN (${names})`);
  return rows!.length;
}

/** Of a stopped service: SQLite reads a copy as after a crash, with what the service has written but not yet published. */
function copyOfFile(url: string): string {
  const file = sqliteFile(url);
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, `${file}-copy${suffix}`);
  rmSync(`${file}-copy-shm`, { force: true });
  return `${url}-copy`;
}

describe('creations with an Idempotency-Key, repeated until they are answered', () => {
  it('add exactly one pet each, although services are killed with SIGKILL', async () => {
    const { url } = await createDatabase();
    // Undefined while it is dead: another test may get its port meanwhile.
    const services: (BuiltService | undefined)[] = await Promise.all(
      Array.from({ length: REPLICAS }, () => startService(url)),
    );
    const creations: Creation[] = [];
    const current = new Set<Creation>();
    const end = new AbortController();
    const client = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const creation = new Creation();
        creations.push(creation);
        current.add(creation);
        // Also repeats what was answered.
        for (let again = 0; again < 2;) {
          const any = services[Math.floor(Math.random() * services.length)];
          await (any === undefined ? delay(5) : creation.send(any));
          if (creation.answer !== undefined) again += 1;
        }
        current.delete(creation);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    /** Ends the test as soon as a client fails. */
    const wait = (ms: number): Promise<unknown> => Promise.race([clients, delay(ms)]);
    let storedUnanswered = 0;
    // Rounds prove something only if pets were stored whose creations got no response.
    for (let round = 0; round < ROUNDS || storedUnanswered * 5 < ROUNDS; round += 1) {
      await wait(Math.random() * LONGEST);
      const index = Math.floor(Math.random() * services.length);
      const killed = services[index]!; // each was started again
      // The database ends what it was sent, and the clients read what was answered before.
      killed.kill('SIGSTOP');
      await wait(50);
      const waiting = [...current].filter(({ answer }) => answer === undefined);
      storedUnanswered += await countStored(url, waiting);
      services[index] = undefined;
      killed.kill('SIGKILL');
      await killed.exit;
      services[index] = await startService(url);
    }
    end.abort();
    await clients;
    const [rows] = await statements(url, 'SELECT CAST("id" AS text) AS "id", "name" FROM "pets" ORDER BY "name"');
    const answers = creations.map(({ key, answer }) => ({ id: /"id":(\d+)/.exec(answer!)![1], name: key }));
    expect(rows).toEqual(answers.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
    for (const service of services) service?.kill('SIGKILL');
  }, 600_000);
});
