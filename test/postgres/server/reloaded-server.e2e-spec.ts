import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { runPostgres } from '../../support/databases/run-postgres.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** On a new connection. */
async function on(url: string, statement: string): Promise<unknown[]> {
  const connection = new Connection(url);
  await connection.connect();
  const { rows } = await connection.query<object>(statement);
  await connection.end();
  return rows;
}

it('still commits to disk on the connections that it has when the server gets a new configuration', async () => {
  // A server of its own, whose configuration no other test sees. test/run.mjs sets the directory.
  const server = await runPostgres(join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`));
  const config = { ...patientConfig(server.url), databasePoolSize: 1 };
  const dataSource = await openDatabase(createDataSource, config, { migrate: true });
  const state = () => dataSource.query('SELECT pg_backend_pid(), current_setting($1)', ['synchronous_commit']);
  const before = await state();
  await on(server.url, 'ALTER SYSTEM SET synchronous_commit TO off');
  await on(server.url, 'SELECT pg_reload_conf()');
  const other = async () => (await on(server.url, 'SHOW synchronous_commit'))[0];
  while (JSON.stringify(await other()) !== '{"synchronous_commit":"off"}') await delay(20);
  // The open connection has had time to read the configuration as well.
  await delay(200);
  expect(await state()).toEqual(before);
  expect(before).toMatchObject([{ current_setting: 'on' }]);
  await dataSource.destroy();
  await server.stop();
});
