// Compares database.transaction() over two tables with the same statements written by hand, in alternating rounds:
//   node bench/transactions/transactions.mjs [--url postgres://ADDRESS] [--rounds N]
// Requires `npm run build`. Creates the tables bench_orders and bench_stock, and drops them at the end; without --url it
// uses a temporary SQLite file. Exits with 1 if a transaction costs more than 1.5 times as much processor or elapsed time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DataSource, EntitySchema } from 'typeorm';
import { median } from '../measure/statistics.mjs';
import { createDataSource } from '../../dist/src/data-source.js';
import { DATABASE_DEFAULTS } from '../../dist/src/config.js';
import { dataSourceOptions } from '../../dist/src/platform/database/data-source-options.js';
import { Database } from '../../dist/src/platform/database/database.js';
import { openDatabase } from '../../dist/src/platform/database/open-database.js';
import { SequenceEntity } from '../../dist/src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../dist/src/platform/values/int64.column.js';
import { byHandOnPostgres, byHandOnSqlite } from './by-hand.mjs';

const GOAL = 1.5;
const ROWS = 100;
const TRANSACTIONS = 200;

const { values } = parseArgs({ options: { url: { type: 'string' }, rounds: { type: 'string', default: '15' } } });
const directory = mkdtempSync(join(tmpdir(), 'transactions-'));
const databaseUrl = values.url ?? `sqlite:${join(directory, 'bench.sqlite')}`;
const config = { ...DATABASE_DEFAULTS, databaseUrl };

const id = { ...INT64, primary: true };
const Order = new EntitySchema({ name: 'bench_orders', columns: { id, status: { type: 'text' }, stockId: INT64 } });
const Stock = new EntitySchema({ name: 'bench_stock', columns: { id, count: INT64 } });

const migrated = await openDatabase(createDataSource, config, { migrate: true });
await migrated.destroy();
const dataSource = new DataSource({ ...(await dataSourceOptions(config)), entities: [Order, Stock, SequenceEntity] });
await dataSource.initialize();
const drop = async () => {
  for (const table of ['bench_orders', 'bench_stock']) await dataSource.query(`DROP TABLE IF EXISTS "${table}"`);
};
await drop();
await dataSource.query('CREATE TABLE "bench_orders" ("id" bigint PRIMARY KEY, "status" text, "stockId" bigint)');
await dataSource.query('CREATE TABLE "bench_stock" ("id" bigint PRIMARY KEY, "count" bigint)');
for (let row = 1; row <= ROWS; row += 1) {
  await dataSource.query(`INSERT INTO "bench_orders" VALUES (${row}, 'new', ${row})`);
  await dataSource.query(`INSERT INTO "bench_stock" VALUES (${row}, 0)`);
}

const database = new Database(dataSource, config.databaseStatementTimeout);
const ours = (orderId) =>
  database.transaction(async (transaction) => {
    const orders = transaction.table(Order);
    const stock = transaction.table(Stock);
    const order = await orders.find(orderId);
    await orders.update(orderId, { status: order.status === 'new' ? 'shipped' : 'new' });
    const { count } = await stock.find(order.stockId);
    await stock.update(order.stockId, { count: count + 1n });
  });
const byHand = values.url ? byHandOnPostgres(databaseUrl) : byHandOnSqlite(databaseUrl);

/** Microseconds of a transaction. */
async function measure(transact) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let turn = 0; turn < TRANSACTIONS; turn += 1) await transact(BigInt((turn % ROWS) + 1));
  const elapsed = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { processor: (user + system) / TRANSACTIONS, elapsed: elapsed / TRANSACTIONS };
}

const ratios = { processor: [], elapsed: [] };
const costs = { ours: [], byHand: [] };
await measure(ours);
await measure(byHand.transact);
for (let round = 0; round < Number(values.rounds); round += 1) {
  const first = await measure(round % 2 ? ours : byHand.transact);
  const second = await measure(round % 2 ? byHand.transact : ours);
  const [mine, theirs] = round % 2 ? [first, second] : [second, first];
  costs.ours.push(mine.processor);
  costs.byHand.push(theirs.processor);
  for (const kind of Object.keys(ratios)) ratios[kind].push(mine[kind] / theirs[kind]);
}

await byHand.close();
database.onApplicationShutdown();
await drop();
await dataSource.destroy();
rmSync(directory, { recursive: true });

const processor = median(ratios.processor);
const elapsed = median(ratios.elapsed);
process.stdout.write(
  `A transaction takes ${median(costs.ours).toFixed(0)} µs of processor time, by hand ${median(costs.byHand).toFixed(0)} µs: ` +
    `${processor.toFixed(2)} times as much, and ${elapsed.toFixed(2)} times as long.\n`,
);
process.exitCode = processor > GOAL || elapsed > GOAL ? 1 : 0;
