import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import createRunDirectory from './create-run-directory.js';
import { runPostgres } from '../databases/run-postgres.js';
import { usePostgres } from '../databases/use-postgres.js';

let stop = async () => {};

/** Starts PostgreSQL for the run, unless `TEST_DATABASE_URL` is set. Jest skips this when it runs no test on PostgreSQL. */
export default async function startPostgres() {
  createRunDirectory();
  const { TEST_DATABASE_URL: url, TEST_RUN_DIRECTORY: run, TEST_DATABASES: databases } = process.env;
  const prefix = `pets_test_${randomBytes(4).toString('hex')}`;
  const server = url
    ? await usePostgres(url, prefix, run)
    : await runPostgres(join(databases, 'postgres'), { alsoRemove: [run, databases] });
  stop = () => server.stop();
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_DATABASE_PREFIX = prefix;
}

export async function stopPostgres() {
  await stop();
  stop = async () => {};
}
