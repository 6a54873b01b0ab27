import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { COMMAND, copyOfBench, run } from '../../project/bench/copy-of-bench.js';
import { build, errorMessageOf } from '../../support/built-service.js';
import { createEmptyDatabase, onServer } from '../../support/databases/databases.js';

/** Of a transaction by hand, whose connection has no name of the service. */
const TERMINATE = `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity"
  WHERE "datname" = $1 AND "application_name" = '' AND "state" <> 'idle'`;

it('the benchmark of transactions drops its tables when PostgreSQL ends its connections during the run', async () => {
  const database = await createEmptyDatabase();
  const directory = copyOfBench(join(await build(), 'dist'));
  const running = run(directory, COMMAND, '--url', database.url, '--rounds', '100000');
  const name = new URL(database.url).pathname.slice(1);
  while ((await onServer(TERMINATE, [name])).length === 0) {
    if (await Promise.race([running, delay(5)])) break;
  }
  const { end } = await running;
  expect(errorMessageOf(end)).toMatch(/^The comparison failed: [^;]+\.$/);
  const client = new Client(database.url);
  await client.connect();
  const { rows } = await client.query(`SELECT "relname" FROM "pg_class" WHERE "relname" LIKE 'bench%'`);
  await client.end();
  expect(rows).toEqual([]);
  await database.drop();
}, 240_000);
