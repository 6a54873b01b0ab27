import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { ContractAdapter } from '../src/http/contract-adapter.js';
import type { Answer } from './support/answer.js';
import type { StartedApp } from './support/start-app.js';

/** Closes the connection that the service works on, as a failing disk would. */
export async function closeDatabase({ app }: StartedApp): Promise<void> {
  await app.get(DataSource).destroy();
}

/** Does something while another process writes to the database and does not end. */
export async function whileLocked<T>({ databaseFile }: StartedApp, work: () => Promise<T>): Promise<T> {
  const database = new Database(databaseFile);
  database.exec('BEGIN IMMEDIATE');
  try {
    return await work();
  } finally {
    database.close();
  }
}

/** A fault that nobody planned for. */
export function dropPets({ databaseFile }: StartedApp): void {
  const database = new Database(databaseFile);
  database.exec('DROP TABLE "pets"');
  database.close();
}

/** The answer to a request that began before the service was told to stop and arrives whole only afterwards. */
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
