import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, ENGINE } from '../support/databases/databases.js';
import { CrashingPostgres } from '../support/databases/crashing-postgres.js';
import { compareRows } from './model/compare-rows.js';
import { buildShop } from './shop/shop-process.js';
import { holdTrial } from './trial.js';

let script: string;
let postgres: CrashingPostgres | undefined;

beforeAll(async () => {
  script = await buildShop();
});

afterAll(() => postgres?.stop());

describe('64 clients that create, change, ship and delete while processes are killed', () => {
  it('never see or leave a half-applied transaction, a lost change or an id that is used twice', async () => {
    if (ENGINE === 'sqlite') {
      const { url } = await createDatabase();
      const ledger = await holdTrial(script, { replicas: [{ DATABASE_URL: url }] });
      await compareRows(url, ledger);
    } else {
      postgres = await CrashingPostgres.start();
      const replica = { DATABASE_URL: postgres.url };
      const alsoFail = () => postgres!.end('SIGKILL');
      const ledger = await holdTrial(script, { replicas: [replica, replica], alsoFail });
      // Otherwise the server was never down.
      expect(Object.keys(ledger.tally).join()).toContain('503');
      await compareRows(postgres.url, ledger);
    }
  }, 600_000);
});
