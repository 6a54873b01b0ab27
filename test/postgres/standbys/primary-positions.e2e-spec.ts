import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Pool } from 'pg';
import { PostgresClient } from '../../../src/platform/database/postgres/postgres-client.js';
import { PostgresStatements } from '../../../src/platform/database/postgres/postgres-statements.js';
import { PrimaryPositions } from '../../../src/platform/database/standbys/primary-positions.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/databases/databases.js';

/** Milliseconds of the service's clock at which it records a position, and at which the test asks for them. */
const TIMES = [1000, 2000, 3000, 4000];
const NOW = 4500;

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = new Pool({ connectionString: database.url, max: 1, Client: PostgresClient });
  // A connection that is still closing when the database is dropped.
  pool.on('error', () => {});
  await pool.query('CREATE TABLE "log" ()');
  await pool.query('CREATE TABLE "sequences" ("name" varchar PRIMARY KEY, "last" bigint NOT NULL)');
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the positions of a primary', () => {
  it('are unknown before the first record', () => {
    expect(new PrimaryPositions(new PostgresStatements(pool, false)).before(0)).toBeUndefined();
  });

  it('come with the last ids of all tables', async () => {
    const positions = new PrimaryPositions(new PostgresStatements(pool, false));
    await positions.record();
    expect(positions.lastId('pets')).toBeUndefined();
    await pool.query(`INSERT INTO "sequences" VALUES ('pets', 9223372036854775806), ('toys', 3)`);
    expect(positions.lastId('pets')).toBeUndefined();
    await positions.record();
    expect(['pets', 'toys', 'sightings'].map((table) => positions.lastId(table))).toEqual([
      9223372036854775806n,
      3n,
      undefined,
    ]);
  });

  it('are those of exactly as long ago as asked, or the first one', async () => {
    const server = new PostgresStatements(pool, false);
    const { results } = jest.spyOn(server, 'run').mock;
    const positions = new PrimaryPositions(server);
    const clock = jest.spyOn(performance, 'now');
    for (const time of TIMES) {
      clock.mockReturnValue(time);
      await positions.record();
      await pool.query('INSERT INTO "log" DEFAULT VALUES');
    }
    clock.mockReturnValue(NOW);
    const answers = results.map(({ value }) => value as ReturnType<PostgresStatements['run']>);
    const recorded = (await Promise.all(answers)).map(([row]) => row![0] as string);
    expect(new Set(recorded).size).toBe(TIMES.length);
    expect(positions.ageOf(recorded.at(-1)!)).toBe(0);
    expect(recorded.slice(0, -1).map((lsn) => positions.ageOf(lsn))).toEqual([3500, 2500, 1500]);
    expect(positions.ageOf('0/0')).toBeUndefined();
    expect(positions.before(3_600_000)).toBe(recorded[0]);
    expect(TIMES.map((time) => positions.before(NOW - time))).toEqual(recorded);
    // A position that was asked for replaces those before it.
    expect(TIMES.map((time) => positions.before(NOW - time))).toEqual(TIMES.map(() => recorded.at(-1)));
  });
});
