import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client as Connection, DatabaseError } from 'pg';
import { compareRows } from '../../concurrency/model/compare-rows.js';
import { buildShop } from '../../concurrency/shop/shop-process.js';
import { holdTrial } from '../../concurrency/trial.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';

/** Milliseconds by which the standby lags. */
const LAG = 3000;

const SERIALIZATION_FAILURE = '40001';

const newDirectory = (): string => join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);

let script: string;
let primary: RunningPostgres;
let standby: RunningPostgres;

beforeAll(async () => {
  script = await buildShop();
  const directory = newDirectory();
  primary = await runPostgres(directory);
  standby = await runPostgres(newDirectory(), {
    primary: { url: primary.url, directory },
    settings: { recovery_min_apply_delay: LAG },
  });
}, 120_000);

afterAll(async () => {
  await standby?.stop();
  await primary?.stop();
});

/** A standby ends statements that keep it from applying changes, and this one has many to apply. */
async function queryStandby<Found extends object>(connection: Connection, statement: string): Promise<Found[]> {
  for (;;) {
    try {
      return (await connection.query<Found>(statement)).rows;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === SERIALIZATION_FAILURE)) throw error;
    }
  }
}

/** How often each table was searched through its primary key. */
async function searches({ url }: RunningPostgres): Promise<Record<string, number>> {
  const connection = new Connection(url);
  await connection.connect();
  try {
    const rows = await queryStandby<{ relname: string; count: string }>(
      connection,
      `SELECT "relname", coalesce("idx_scan", 0) AS "count" FROM "pg_stat_user_tables"`,
    );
    return Object.fromEntries(rows.map(({ relname, count }) => [relname, Number(count)]));
  } finally {
    await connection.end();
  }
}

describe('64 clients of two replicas that are killed, with a standby 3 s behind', () => {
  it('never see anything older than what any of them has seen', async () => {
    const replica = {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: standby.url,
      // It stays in use, however slow the machine is.
      DATABASE_READ_MAX_LAG_MS: '60000',
    };
    const ledger = await holdTrial(script, { replicas: [replica, replica] });
    await compareRows(primary.url, ledger);
    const { shop_parcels: parcels, shop_orders: orders } = await searches(standby);
    // Otherwise the trial proves nothing.
    expect(parcels).toBeGreaterThan(10);
    expect(orders).toBe(0);
  }, 600_000);
});
