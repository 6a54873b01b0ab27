import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { TransactionConnection } from '../../src/platform/database/postgres/tables/transaction-connection.js';
import { PostgresClient } from '../../src/platform/database/postgres/postgres-client.js';
import { PostgresSession } from '../../src/platform/database/postgres/postgres-session.js';
import { PostgresStatements, type Statement } from '../../src/platform/database/postgres/postgres-statements.js';
import { createEmptyDatabase, type TestDatabase } from '../support/databases/databases.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

describe.each([
  ['prepared', true],
  ['not prepared', false],
])('statements that are %s', (_, isPrepared) => {
  let pool: Pool;
  let server: PostgresStatements;

  beforeAll(() => {
    // A single connection, which every statement reuses.
    pool = new Pool({ connectionString: database.url, max: 1, Client: PostgresClient });
    pool.on('error', () => {});
    server = new PostgresStatements(pool, isPrepared);
  });

  afterAll(() => pool.end());

  const connection = async (): Promise<unknown> =>
    (await server.run({ name: 'connection', text: 'SELECT pg_backend_pid()' }, []))[0]![0];

  it('return every digit, and distinguish null from an empty text, each time', async () => {
    const text = 'SELECT $1::bigint, $2::bigint, $3::text, $4::text, $5::text';
    const values = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, '', null, 'Zoë "🐈" \\ {a,NULL}'];
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await server.run({ name: 'values', text }, values)).toStrictEqual([values]);
    }
  });

  it('pass lists element by element', async () => {
    const list = ['', ' ', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', "'", 'a\nb', '\t', 'Zoë 🐈', null];
    const statement = { name: 'list', text: 'SELECT * FROM unnest($1::text[])' };
    expect(await server.run(statement, [list])).toStrictEqual(list.map((text) => [text]));
    expect(await server.run(statement, [[]])).toStrictEqual([]);
  });

  it('return no rows when there are none, each time', async () => {
    const nothing: Statement = { name: 'nothing', text: 'CREATE TABLE IF NOT EXISTS "nothing" ()' };
    const none: Statement = { name: 'none', text: 'SELECT 1 WHERE false' };
    for (const statement of [nothing, none, nothing, none]) {
      expect(await server.run(statement, [])).toStrictEqual([]);
    }
  });

  it('receive their own results when they run concurrently', async () => {
    const statement = { name: 'order', text: 'SELECT $1::bigint FROM generate_series(1, $2)' };
    const counts = [3, 0, 1, 2];
    const responses = await Promise.all(counts.map((count) => server.run(statement, [BigInt(count), count])));
    expect(responses).toStrictEqual(counts.map((count) => Array.from({ length: count }, () => [BigInt(count)])));
  });

  it('never get the rows of another text with the same name', async () => {
    const before = await server.run({ name: 'same', text: 'SELECT 1::bigint' }, []);
    const other = server.run({ name: 'same', text: 'SELECT 2::bigint' }, []);
    if (isPrepared) await expect(other).rejects.toThrow('The name "same" stands for another statement');
    else expect(await other).toStrictEqual([[2n]]);
    expect(await server.run({ name: 'same', text: 'SELECT 1::bigint' }, [])).toStrictEqual(before);
  });

  it('never get the rows of another text with the same name, even if that has only failed', async () => {
    const client = await pool.connect();
    const session = new PostgresSession(client, isPrepared, 0);
    await expect(session.run({ name: 'failing', text: 'SELECT 1 / $1::bigint' }, [0n])).rejects.toThrow('by zero');
    const other = session.run({ name: 'failing', text: 'SELECT 2::bigint' });
    if (isPrepared) await expect(other).rejects.toThrow('The name "failing" stands for another statement');
    else expect(await other).toStrictEqual([[2n]]);
    client.release();
  });

  it('fail without affecting the next statement, which gets the same connection', async () => {
    const before = await connection();
    const statement = { name: 'fail', text: 'SELECT 1 / $1::bigint' };
    await expect(server.run(statement, [0n])).rejects.toThrow('division by zero');
    await expect(server.run(statement, [1n])).resolves.toStrictEqual([[1n]]);
    expect(await connection()).toBe(before);
  });

  it.each([
    ['PostgreSQL ends it', `SELECT pg_terminate_backend(pg_backend_pid())`],
    ['its server stores nothing', `CREATE TABLE "refused" ()`],
  ])('get another connection after an error because %s', async (_reason, text) => {
    const before = await connection();
    await server.run({ name: '', text: 'SET default_transaction_read_only = on' }, []);
    await expect(server.run({ name: '', text }, [])).rejects.toThrow(DatabaseUnavailable);
    await expect(connection()).resolves.not.toBe(before);
  });

  it.each([
    ['commit', (transaction: TransactionConnection) => transaction.commit()],
    ['rollback', (transaction: TransactionConnection) => transaction.rollBack(undefined)],
    ['outage', (transaction: TransactionConnection) => transaction.rollBack(new Error('lost'))],
  ])('run no more in a transaction once its %s is queued, after those before it', async (_end, end) => {
    const transaction = await TransactionConnection.of(pool, isPrepared, Infinity);
    const { session } = transaction;
    await session.run({ name: 'begin', text: 'BEGIN' });
    const statement = { name: 'late', text: 'SELECT $1::bigint' };
    const before = session.run(statement, [1n]);
    const ended = end(transaction);
    await expect(session.run(statement, [2n])).rejects.toThrow('The transaction has ended');
    await Promise.allSettled([before, ended]);
    await expect(session.run(statement, [3n])).rejects.toThrow('The transaction has ended');
    expect(await server.run(statement, [4n])).toStrictEqual([[4n]]);
  });

  it('fail with DatabaseUnavailable once the pool is closed', async () => {
    const closed = new Pool({ connectionString: database.url });
    await closed.end();
    const statements = new PostgresStatements(closed, isPrepared);
    await expect(statements.run({ name: 'late', text: 'SELECT 1' }, [])).rejects.toThrow(DatabaseUnavailable);
  });
});
