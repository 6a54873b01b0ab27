import { join } from 'node:path';
import { DataSource, EntitySchema } from 'typeorm';
import { createWorkspace } from '../machine/workspace.mjs';
import { median } from '../measure/statistics.mjs';
import { createDataSource } from '../../dist/src/data-source.js';
import { DATABASE_DEFAULTS } from '../../dist/src/config.js';
import { dataSourceOptions } from '../../dist/src/platform/database/data-source-options.js';
import { Database } from '../../dist/src/platform/database/database.js';
import { openDatabase } from '../../dist/src/platform/database/open-database.js';
import { ServedDatabase } from '../../dist/src/platform/database/served/served-database.js';
import { SequenceEntity } from '../../dist/src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../dist/src/platform/values/int64.column.js';
import { byHandOnPostgres, byHandOnSqlite } from './by-hand.mjs';

const GOAL = 1.5;
const ROWS = 100;
const TRANSACTIONS = 200;
/** Rounds before the first one that counts: V8 optimises a function by how often it ran. */
const WARM_UP = 20;

const id = { ...INT64, primary: true };
const Order = new EntitySchema({ name: 'bench_orders', columns: { id, status: { type: 'text' }, stockId: INT64 } });
const Stock = new EntitySchema({ name: 'bench_stock', columns: { id, count: INT64 } });

/**
 * The database is a temporary SQLite file, or that of the URL. Returns medians of the rounds: microseconds of processor
 * time, and the ratios of processor and elapsed time.
 */
export async function compareTransactions(url, rounds) {
  const databaseUrl = url ?? `sqlite:${join(createWorkspace(), 'bench.sqlite')}`;
  const config = { ...DATABASE_DEFAULTS, databaseUrl };
  const migrated = await openDatabase(createDataSource, config, { migrate: true });
  await migrated.destroy();
  const dataSource = new DataSource({ ...(await dataSourceOptions(config)), entities: [Order, Stock, SequenceEntity] });
  await dataSource.initialize();
  await drop(dataSource);
  const summary = await compareOn(dataSource, config, url, rounds).catch(async (error) => {
    const left = await drop(dataSource).then(
      () => '',
      () => '; the tables bench_orders and bench_stock remain, and the next run drops them',
    );
    throw new Error(`The comparison failed: ${error.message}${left}.`, { cause: error });
  });
  await drop(dataSource);
  await dataSource.destroy();
  return summary;
}

async function drop(dataSource) {
  for (const table of ['bench_orders', 'bench_stock']) await dataSource.query(`DROP TABLE IF EXISTS "${table}"`);
}

async function compareOn(dataSource, { databaseUrl, databaseStatementTimeout }, url, rounds) {
  await dataSource.query('CREATE TABLE "bench_orders" ("id" bigint PRIMARY KEY, "status" text, "stockId" bigint)');
  await dataSource.query('CREATE TABLE "bench_stock" ("id" bigint PRIMARY KEY, "count" bigint)');
  for (let row = 1; row <= ROWS; row += 1) {
    await dataSource.query(`INSERT INTO "bench_orders" VALUES (${row}, 'new', ${row})`);
    await dataSource.query(`INSERT INTO "bench_stock" VALUES (${row}, 0)`);
  }
  const served = await ServedDatabase.open(dataSource, () => Promise.resolve());
  const database = new Database(served, databaseStatementTimeout);
  const ours = (orderId) =>
    database.transaction(async (transaction) => {
      const orders = transaction.table(Order);
      const stock = transaction.table(Stock);
      const order = await orders.find(orderId);
      await orders.update(orderId, { status: order.status === 'new' ? 'shipped' : 'new' });
      const { count } = await stock.find(order.stockId);
      await stock.update(order.stockId, { count: count + 1n });
    });
  const byHand = url ? byHandOnPostgres(databaseUrl) : byHandOnSqlite(databaseUrl);

  const ratios = { processor: [], elapsed: [] };
  const costs = { ours: [], byHand: [] };
  for (const transact of [ours, byHand.transact]) {
    for (let round = 0; round < WARM_UP; round += 1) await measure(transact);
  }
  for (let round = 0; round < rounds; round += 1) {
    const first = await measure(round % 2 ? ours : byHand.transact);
    const second = await measure(round % 2 ? byHand.transact : ours);
    const [mine, theirs] = round % 2 ? [first, second] : [second, first];
    costs.ours.push(mine.processor);
    costs.byHand.push(theirs.processor);
    for (const kind of Object.keys(ratios)) ratios[kind].push(mine[kind] / theirs[kind]);
  }
  await byHand.close();
  database.onApplicationShutdown();

  const processor = median(ratios.processor);
  const elapsed = median(ratios.elapsed);
  return {
    costs: { ours: median(costs.ours), byHand: median(costs.byHand) },
    processor,
    elapsed,
    isKept: processor <= GOAL && elapsed <= GOAL,
  };
}

/** Microseconds of a transaction. */
async function measure(transact) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let turn = 0; turn < TRANSACTIONS; turn += 1) await transact(BigInt((turn % ROWS) + 1));
  const elapsed = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { processor: (user + system) / TRANSACTIONS, elapsed: elapsed / TRANSACTIONS };
}
