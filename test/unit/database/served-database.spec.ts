import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';

const REPLICAS = 12;
/** Attempts to open the database, of which the first is at the start. */
const ATTEMPTS = 4;
/** Milliseconds between the sums of the pauses of two replicas: without chance, these differ by a few. */
const SPREAD = 150;

/** Milliseconds from the start of a replica to each attempt to open a server that is down. */
async function attemptsOfReplica(): Promise<number[]> {
  const start = performance.now();
  const attempts: number[] = [];
  const dataSource = { options: { type: 'postgres' }, isInitialized: false } as DataSource;
  const database = await ServedDatabase.open(dataSource, () => {
    attempts.push(performance.now() - start);
    return Promise.reject(new DatabaseUnavailable(new Error('connect ECONNREFUSED')));
  });
  database.onApplicationBootstrap();
  while (attempts.length < ATTEMPTS) await delay(5);
  await database.close();
  return attempts;
}

it('replicas that start while PostgreSQL is down try again after random pauses that grow, so not all together', async () => {
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, attemptsOfReplica));
  for (const [first, second, third, fourth] of replicas) {
    // Each pause is at least half of its maximum: 250 ms, then twice as long each time. A timer may be early by 1 ms.
    expect(second! - first!).toBeGreaterThan(123);
    expect(third! - second!).toBeGreaterThan(248);
    expect(fourth! - third!).toBeGreaterThan(498);
  }
  const times = replicas.map((attempts) => attempts.at(-1)!);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(SPREAD);
});
