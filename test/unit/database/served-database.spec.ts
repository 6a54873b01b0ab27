import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';

const REPLICAS = 50;
/** Maximum milliseconds before each attempt to open the database but the first one, which is at the start. */
const MAXIMA = [250, 500, 1000];
/** Milliseconds between the sums of the pauses of two replicas: without chance, these are the same. */
const SPREAD = 150;

/** Milliseconds of the pauses, which take no time: a busy machine would prolong each. */
const pauses: number[] = [];
const pause = (milliseconds: number) => Promise.resolve(void pauses.push(milliseconds));
jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: pause }));
const { ServedDatabase } = await import('../../../src/platform/database/served/served-database.js');

/** The pauses of a replica between its attempts to open a server that is down. */
async function pausesOfReplica(): Promise<number[]> {
  const dataSource = { options: { type: 'postgres' }, isInitialized: false } as DataSource;
  let attempts = 0;
  const database = await ServedDatabase.open(dataSource, async () => {
    attempts += 1;
    if (attempts > MAXIMA.length) await database.close();
    throw new DatabaseUnavailable(new Error('connect ECONNREFUSED'));
  });
  database.onApplicationBootstrap();
  await database.opened;
  return pauses.splice(0);
}

it('replicas that start while PostgreSQL is down try again after random pauses that grow, so not all together', async () => {
  Logger.overrideLogger(false);
  const sums: number[] = [];
  for (let replica = 0; replica < REPLICAS; replica += 1) {
    const replicaPauses = await pausesOfReplica();
    expect(replicaPauses).toHaveLength(MAXIMA.length);
    for (const [index, maximum] of MAXIMA.entries()) {
      expect(replicaPauses[index]).toBeGreaterThanOrEqual(maximum / 2);
      expect(replicaPauses[index]).toBeLessThanOrEqual(maximum);
    }
    sums.push(replicaPauses.reduce((sum, each) => sum + each));
  }
  expect(Math.max(...sums) - Math.min(...sums)).toBeGreaterThan(SPREAD);
});
