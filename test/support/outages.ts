import { expect } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { DataSource } from 'typeorm';
import { DATABASE_DEFAULTS } from '../../src/config.js';
import { isPostgres } from '../../src/platform/database/postgres/postgres.js';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import type { ContractAdapter } from '../../src/platform/http/contract-adapter.js';
import { outcome, type Outcome } from '../properties/outcome.js';
import type { Answer } from './http/answer.js';
import type { Client } from './http/client.js';
import { startApp, type StartedApp } from './start-app.js';

type Call = (api: Client) => Promise<Answer>;

/** Closes the connection that the service works on, as a failing disk would. */
export async function closeDatabase({ app }: StartedApp): Promise<void> {
  await app.get(DataSource).destroy();
}

/** Does something while another process writes to the database and does not end. */
export async function whileLocked<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const unlock = await (isPostgres(databaseUrl) ? lockTables(databaseUrl) : lockFile(sqliteFile(databaseUrl)));
  try {
    return await work();
  } finally {
    await unlock();
  }
}

async function lockFile(file: string): Promise<() => Promise<void>> {
  const database = new Database(file);
  database.exec('BEGIN IMMEDIATE');
  return async () => void database.close();
}

async function lockTables(connectionString: string): Promise<() => Promise<void>> {
  const connection = new Connection({ connectionString });
  await connection.connect();
  await connection.query('BEGIN; LOCK TABLE "api_keys", "pets", "sequences" IN EXCLUSIVE MODE');
  return () => connection.end();
}

/** Makes the database refuse whatever a statement does to a table. */
export async function refuse(dataSource: DataSource, statement: 'INSERT' | 'UPDATE', table: string): Promise<void> {
  if (dataSource.options.type !== 'postgres') {
    await dataSource.query(
      `CREATE TRIGGER "refuse" BEFORE ${statement} ON "${table}" BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    return;
  }
  await dataSource.query(
    `CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
  );
  await dataSource.query(
    `CREATE TRIGGER "refuse" BEFORE ${statement} ON "${table}" FOR EACH ROW EXECUTE FUNCTION "refuse"()`,
  );
}

export async function refuseNoMore(dataSource: DataSource, table: string): Promise<void> {
  await dataSource.query(`DROP TRIGGER "refuse"${dataSource.options.type === 'postgres' ? ` ON "${table}"` : ''}`);
}

/** The answer to a call while the database is closed. */
export async function answerWithoutDatabase(call: Call): Promise<Answer> {
  const service = await startApp();
  await closeDatabase(service);
  return call(service.api);
}

/** The response to a call that meets an unexpected fault. */
export async function answerWithoutPets(call: Call): Promise<Answer> {
  const { app, api } = await startApp();
  await app.get(DataSource).query('DROP TABLE "pets"');
  return call(api);
}

/** How many times as long as by default a service waits for a database in a test of its promises. */
const STRETCH = 3;
/** Milliseconds within which a caller gets 503: two seconds, stretched so that the machine's share is small. */
export const PROMISED = 2000 * STRETCH;
/** The limits by which a service keeps that promise. */
export const STRETCHED = {
  databaseConnectTimeout: DATABASE_DEFAULTS.databaseConnectTimeout * STRETCH,
  databaseStatementTimeout: DATABASE_DEFAULTS.databaseStatementTimeout * STRETCH,
};

/** A refusal, and when to try again. */
export function expectRetry(answer: Answer, expected: Outcome): void {
  expect({ ...outcome(answer), retryAfter: answer.header('retry-after') }).toStrictEqual({
    ...expected,
    retryAfter: '1',
  });
}

/** The response to a request that begins before a stop and arrives completely only after it. */
export async function answerWhileStopping(service: StartedApp, head: readonly string[]): Promise<Answer> {
  const connection = await service.connect();
  // The answer to the first request tells that the beginning of the second has been read as well.
  connection.send(`GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n${head.join('\r\n')}\r\nHost: localhost\r\n`);
  await connection.answer();
  const stopped = service.app.close();
  const adapter = service.app.getHttpAdapter() as unknown as ContractAdapter;
  while (!adapter.isDraining) await delay(1);
  connection.send('\r\n');
  const answer = await connection.answer();
  await stopped;
  return answer;
}
