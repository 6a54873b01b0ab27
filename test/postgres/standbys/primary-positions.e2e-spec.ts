import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { PostgresClient } from '../../../src/platform/database/postgres/postgres-client.js';
import { PostgresStatements } from '../../../src/platform/database/postgres/postgres-statements.js';
import { PrimaryPositions } from '../../../src/platform/database/standbys/primary-positions.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/databases/databases.js';

/** Milliseconds between two records: far more than the test needs to ask for a position. */
const PAUSE = 300;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = new Pool({ connectionString: database.url, max: 1, Client: PostgresClient });
  await pool.query('CREATE TABLE "log" ()');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the positions of a primary', () => {
  it('are unknown before the first record', () => {
    expect(new PrimaryPositions(new PostgresStatements(pool, false)).before(0)).toBeUndefined();
  });

  it('are those of exactly as long ago as asked, or the first one', async () => {
    const server = new PostgresStatements(pool, false);
    const { results } = jest.spyOn(server, 'run').mock;
    const positions = new PrimaryPositions(server);
    const times: number[] = [];
    while (times.length < 4) {
      await positions.record();
      times.push(performance.now());
      await pool.query('INSERT INTO "log" DEFAULT VALUES');
      await delay(PAUSE);
    }
    const answers = results.map(({ value }) => value as ReturnType<PostgresStatements['run']>);
    const recorded = (await Promise.all(answers)).map(([row]) => row![0]);
    expect(new Set(recorded).size).toBe(times.length);
    expect(positions.before(3_600_000)).toBe(recorded[0]);
    expect(positions.ageOf(recorded.at(-1) as string)).toBe(0);
    const age = positions.ageOf(recorded[0] as string);
    // As old as the position itself is known to be: it was recorded shortly before its time.
    expect(age).toBeGreaterThanOrEqual(performance.now() - times[0]! - 1);
    expect(positions.ageOf('0/0')).toBeUndefined();
    expect(times.map((time) => positions.before(performance.now() - time))).toEqual(recorded);
  });
});
