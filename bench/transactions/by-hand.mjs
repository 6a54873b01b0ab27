import DatabaseFile from 'better-sqlite3';
import { Pool } from 'pg';

const FIND = 'SELECT "id", "status", "stockId" FROM "bench_orders" WHERE "id" = ';
const COUNT = 'SELECT "id", "count" FROM "bench_stock" WHERE "id" = ';
const next = (status) => (status === 'new' ? 'shipped' : 'new');

/** Prepared statements in one synchronous function, as durable as the service's. */
export function byHandOnSqlite(databaseUrl) {
  const file = new DatabaseFile(databaseUrl.slice('sqlite:'.length));
  file.pragma('synchronous = FULL');
  const find = file.prepare(`${FIND}?`).safeIntegers();
  const count = file.prepare(`${COUNT}?`).safeIntegers();
  const ship = file.prepare('UPDATE "bench_orders" SET "status" = ? WHERE "id" = ?');
  const take = file.prepare('UPDATE "bench_stock" SET "count" = ? WHERE "id" = ?');
  const transaction = file.transaction((orderId) => {
    const order = find.get(orderId);
    ship.run(next(order.status), orderId);
    take.run(count.get(order.stockId).count + 1n, order.stockId);
  });
  return { transact: async (orderId) => transaction.immediate(orderId), close: () => file.close() };
}

/** Named statements on a connection of a pool. */
export function byHandOnPostgres(connectionString) {
  const pool = new Pool({ connectionString, max: 10 });
  const transact = async (orderId) => {
    const client = await pool.connect();
    const run = (name, text, ...values) => client.query({ name, text, values });
    await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
    const [order] = (await run('find', `${FIND}$1`, orderId)).rows;
    await run('ship', 'UPDATE "bench_orders" SET "status" = $1 WHERE "id" = $2', next(order.status), orderId);
    const [stock] = (await run('count', `${COUNT}$1`, order.stockId)).rows;
    await run('take', 'UPDATE "bench_stock" SET "count" = $1 WHERE "id" = $2', BigInt(stock.count) + 1n, order.stockId);
    await client.query('COMMIT');
    client.release();
  };
  return { transact, close: () => pool.end() };
}
