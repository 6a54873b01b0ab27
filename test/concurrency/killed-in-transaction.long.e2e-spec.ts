import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import { createEmptyDatabase, ENGINE, onServer } from '../support/databases/databases.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { compareRows } from './model/compare-rows.js';
import { Ledger, type SeenOrder } from './model/ledger.js';
import type { OrderRecord } from './model/order-record.js';
import { buildShop, type ShopProcess, startShop } from './shop/shop-process.js';

/** Milliseconds for which the transaction would wait, longer than the test. */
const WAIT = 600_000;

let script: string;
let databaseUrl: string;
let shop: ShopProcess;
let ledger: Ledger;
let order: OrderRecord;

const start = (): Promise<ShopProcess> =>
  startShop(script, { DATABASE_URL: databaseUrl, DATABASE_STATEMENT_TIMEOUT_MS: String(2 * WAIT) });

beforeAll(async () => {
  script = await buildShop();
}, 120_000);

beforeEach(async () => {
  databaseUrl = (await createEmptyDatabase()).url;
  shop = await start();
  ledger = new Ledger();
  order = ledger.next(1);
  const sentAt = ledger.now();
  const response = await shop.api.post('/v1/orders', { token: order.token, stockId: order.stockId });
  ledger.created(order, response.json as SeenOrder, sentAt);
}, 120_000);

/** Whether a transaction has changed rows and not ended. */
async function isInTransaction(): Promise<boolean> {
  if (ENGINE === 'postgres') {
    const changing = `SELECT FROM "pg_stat_activity"
      WHERE "state" = 'idle in transaction' AND "backend_xid" IS NOT NULL AND "datname" = $1`;
    return (await onServer(changing, [new URL(databaseUrl).pathname.slice(1)])).length > 0;
  }
  const other = new Database(sqliteFile(databaseUrl), { timeout: 0 });
  try {
    other.exec('BEGIN IMMEDIATE');
    return false;
  } catch {
    return true;
  } finally {
    other.close();
  }
}

const ship = (wait: number): Promise<HttpResponse> =>
  shop.api.request('POST', `/v1/orders/${order.id}/ship?wait=${wait}`);

describe('a transaction', () => {
  it('leaves nothing when the service is killed in the middle of it', async () => {
    order.shipAttempts += 1;
    const outcome = ship(WAIT).then(
      ({ status }) => status,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    while (!(await isInTransaction())) await delay(10);
    shop.kill('SIGKILL');
    expect(await outcome).toBe('ECONNRESET');
    shop = await start();
    expect((await shop.api.get(`/v1/orders/${order.id}`)).json).toMatchObject({ id: order.id, state: 'open' });
    await compareRows(databaseUrl, ledger);
    const sentAt = ledger.now();
    const shipped = await ship(0);
    expect(shipped.status).toBe(200);
    ledger.shipped(order, (shipped.json as { id: number }).id, sentAt);
    await compareRows(databaseUrl, ledger);
  }, 120_000);
});
