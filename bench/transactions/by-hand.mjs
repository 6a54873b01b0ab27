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
  // The statement that runs then fails as well.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const transact = async (orderId) => {
    const client = await pool.connect();
    try {
      await transactOn(client, orderId);
    } finally {
      client.release();
    }
  };
  return { transact, close: () => pool.end() };
}
