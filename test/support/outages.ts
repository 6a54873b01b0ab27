import { expect } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import type { DataSource } from 'typeorm';
import { isPostgres } from '../../src/platform/database/postgres/postgres.js';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import type { ContractAdapter } from '../../src/platform/http/contract-adapter.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { outcome, type Outcome } from '../properties/outcome.js';
import { STRETCH } from './databases/time-limits.js';
import type { HttpResponse } from './http/http-response.js';
import type { Client } from './http/client.js';
import { startApp, type StartedApp } from './start-app.js';

type Call = (api: Client) => Promise<HttpResponse>;

/** Closes the database connections of the service, to simulate a failing disk. */
export async function closeDatabase({ app }: StartedApp): Promise<void> {
  await app.get(ServedDatabase).dataSource.destroy();
}

/** Runs `work` while another connection holds a write lock on the database. */
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

/** Makes the database reject a kind of statement on a table. */
export async function rejectWrites(
  dataSource: DataSource,
  statement: 'INSERT' | 'UPDATE' | 'DELETE',
  table: string,
): Promise<void> {
  if (dataSource.options.type !== 'postgres') {
    await dataSource.query(
      `CREATE TRIGGER "reject_writes" BEFORE ${statement} ON "${table}" BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    return;
  }
  await dataSource.query(
    `CREATE FUNCTION "reject_writes"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
  );
  await dataSource.query(
    `CREATE TRIGGER "reject_writes" BEFORE ${statement} ON "${table}" FOR EACH ROW EXECUTE FUNCTION "reject_writes"()`,
  );
}

export async function allowWrites(dataSource: DataSource, table: string): Promise<void> {
  await dataSource.query(
    `DROP TRIGGER "reject_writes"${dataSource.options.type === 'postgres' ? ` ON "${table}"` : ''}`,
  );
}

/** The response to a call while the database is closed. */
export async function responseWithoutDatabase(call: Call): Promise<HttpResponse> {
  const service = await startApp();
  await closeDatabase(service);
  return call(service.api);
}

/** The response to a call that fails unexpectedly: a table is missing. Others may refer to it, so it is not dropped. */
export async function responseWithoutTable(table: string, call: Call): Promise<HttpResponse> {
  const { app, api } = await startApp();
  await app.get(ServedDatabase).dataSource.query(`ALTER TABLE "${table}" RENAME TO "hidden_${table}"`);
  return call(api);
}

/** Milliseconds within which a caller must get 503: two seconds, stretched. */
export const PROMISED = 2000 * STRETCH;
/** Checks a response and its `Retry-After`. */
export function expectRetry(response: HttpResponse, expected: Outcome): void {
  expect({ ...outcome(response), retryAfter: response.header('retry-after') }).toStrictEqual({
    ...expected,
    retryAfter: '1',
  });
}

/** The response to a request that begins before a shutdown and arrives completely after it. */
export async function responseWhileStopping(service: StartedApp, head: readonly string[]): Promise<HttpResponse> {
  const connection = await service.connect();
  // After the response to the first request, the service has also read the beginning of the second.
  connection.send(`GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n${head.join('\r\n')}\r\nHost: localhost\r\n`);
  await connection.response();
  const stopped = service.app.close();
  const adapter = service.app.getHttpAdapter() as unknown as ContractAdapter;
  while (!adapter.isDraining) await delay(1);
  connection.send('\r\n');
  const response = await connection.response();
  await stopped;
  return response;
}
