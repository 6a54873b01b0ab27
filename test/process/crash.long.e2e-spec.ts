import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { type BuiltService, spawnService, startService, stopService } from '../support/built-service.js';
import { type NewPet, type Pet, STATUSES, walk } from '../support/pets.js';
import { createDatabase, createEmptyDatabase, ENGINE } from '../support/databases/databases.js';
import { repetitions } from '../support/run/effort.js';
import { startApp } from '../support/start-app.js';

const ROUNDS = repetitions(50);
/** Concurrent chains of rounds, each with its own database: most of the time is spent on starts. */
const CHAINS = 2;
const CLIENTS = 16;
/** Maximum milliseconds until the service is killed. */
const LONGEST = 150;
const MIGRATE = { MIGRATE_ON_START: 'true' };
const LIMITS = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0];

/** The sent and the acknowledged pets of one chain, by their unique names. */
class Ledger {
  readonly sent = new Map<string, NewPet>();
  readonly acknowledged = new Map<string, Pet>();

  /** A pet that differs from all others in every field. */
  next(): NewPet {
    const number = this.sent.size;
    const status = STATUSES[number % 4];
    const categoryId = LIMITS[number % LIMITS.length]!;
    const name = `${number} ${'é😀"\\\n'.repeat(number % 50)}`;
    const pet = { name, categoryId, ...(status && { status }) };
    this.sent.set(name, pet);
    return pet;
  }

  /** Sends nothing to a service that is dead: another test may get its port meanwhile. */
  async createUntil(killed: AbortSignal, { api }: BuiltService): Promise<void> {
    while (!killed.aborted) {
      const pet = this.next();
      const response = await api.post('/v1/pets', pet).catch(ignoreReset);
      if (!response) return;
      expect(response.json).toEqual({ id: expect.anything(), ...pet });
      this.acknowledged.set(pet.name, response.json as Pet);
    }
  }

  /** Every acknowledged pet is stored; no pet is stored twice or without having been sent. */
  compare(stored: readonly Pet[]): void {
    const byName = new Map(stored.map((pet) => [pet.name, pet]));
    expect(byName.size).toBe(stored.length);
    expect(new Set(stored.map(({ id }) => String(id))).size).toBe(stored.length);
    for (const [name, pet] of this.acknowledged) expect(byName.get(name)).toEqual(pet);
    for (const [name, pet] of byName) expect(pet).toEqual({ id: expect.anything(), ...this.sent.get(name) });
  }
}

/** After a reset, the pet may or may not be stored; any other error fails the test. */
function ignoreReset(error: NodeJS.ErrnoException): undefined {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) throw error;
}

async function crashRepeatedly(rounds: number): Promise<Ledger> {
  const { url } = await createDatabase();
  const ledger = new Ledger();
  // Rounds without acknowledged pets prove nothing.
  for (let round = 0; round < rounds || ledger.acknowledged.size <= ROUNDS; round += 1) {
    const service = await startService(url);
    ledger.compare(await walk(service.api, '/v1/pets?limit=100'));
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () => ledger.createUntil(killed.signal, service));
    await delay(Math.random() * LONGEST);
    killed.abort();
    service.kill('SIGKILL');
    await Promise.all(clients);
    expect(await service.exit).toEqual({ code: null, signal: 'SIGKILL' });
  }
  const service = await startService(url);
  ledger.compare(await walk(service.api, '/v1/pets?limit=100'));
  await stopService(service);
  return ledger;
}

describe('a service killed with SIGKILL', () => {
  it('lists every pet acknowledged with 201 exactly once after a restart', async () => {
    const chains = Array.from({ length: CHAINS }, () => crashRepeatedly(Math.ceil(ROUNDS / CHAINS)));
    const ledgers = await Promise.all(chains);
    for (const { acknowledged } of ledgers) expect(acknowledged.size).toBeGreaterThan(ROUNDS);
  }, 600_000);

  it('starts again when it was killed while creating its database', async () => {
    for (const fraction of [0.2, 0.4, 0.6, 0.8, 1]) {
      const { url } = await createEmptyDatabase();
      const { child, exit } = await spawnService(url, MIGRATE);
      await delay(fraction * 1000);
      child.kill('SIGKILL');
      await exit;
      const service = await startService(url, MIGRATE);
      expect((await service.api.get('/v1/pets')).json).toEqual([]);
      service.kill('SIGKILL');
    }
  }, 180_000);
});

/** The settings of a connection of the service; 2 is FULL. */
const DURABLE = {
  sqlite: [{ synchronous: 2 }, { journal_mode: 'wal' }],
  postgres: [{ synchronous_commit: 'on' }],
};

describe('the running database', () => {
  it('flushes each commit to disk', async () => {
    const { app } = await startApp();
    const dataSource = app.get(ServedDatabase).dataSource;
    const read = (setting: string) => dataSource.query(ENGINE === 'sqlite' ? `PRAGMA ${setting}` : `SHOW ${setting}`);
    const settings = await Promise.all(
      DURABLE[ENGINE].map(async (setting) => (await read(Object.keys(setting)[0]!))[0]),
    );
    expect(settings).toEqual(DURABLE[ENGINE]);
  });
});
