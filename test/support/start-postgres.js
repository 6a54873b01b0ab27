import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import createRunDirectory from './create-run-directory.js';
import { runPostgres } from './run-postgres.js';

let stop = async () => {};

/** Before the specs that run on PostgreSQL: a server of the run's own, unless `TEST_DATABASE_URL` names one. */
export default async function startPostgres() {
  createRunDirectory();
  const { TEST_DATABASE_URL: given, TEST_RUN_DIRECTORY: run } = process.env;
  const server = given
    ? { url: given, stop: dropDatabases }
    : await runPostgres(join(run, 'postgres'), { alsoRemove: [run] });
  stop = () => server.stop();
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_DATABASE_PREFIX = `pets_test_${randomBytes(4).toString('hex')}`;
}

/** After them, be it that none were asked for. */
export function stopPostgres() {
  return stop();
}

/** A server that goes on keeps nothing that the run has made. */
async function dropDatabases() {
  const { TEST_POSTGRES_URL: connectionString, TEST_DATABASE_PREFIX: prefix } = process.env;
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('SELECT "datname" FROM "pg_database" WHERE starts_with("datname", $1)', [prefix]);
  for (const { datname } of rows) await client.query(`DROP DATABASE ${escapeIdentifier(datname)} WITH (FORCE)`);
  await client.end();
}
