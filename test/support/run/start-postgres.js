import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import createRunDirectory from './create-run-directory.js';
import { runPostgres } from '../databases/run-postgres.js';
import { usePostgres } from '../databases/use-postgres.js';

let stop = async () => {};

/** Starts a PostgreSQL for the run, unless `TEST_DATABASE_URL` names one. Jest skips this when it runs no test on PostgreSQL. */
export default async function startPostgres() {
  createRunDirectory();
  const { TEST_DATABASE_URL: given, TEST_RUN_DIRECTORY: run } = process.env;
  const prefix = `pets_test_${randomBytes(4).toString('hex')}`;
  const server = given
    ? await usePostgres(given, prefix, run)
    : await runPostgres(join(run, 'postgres'), { alsoRemove: [run] });
  stop = () => server.stop();
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_DATABASE_PREFIX = prefix;
}

/** Does nothing when none was started. */
export async function stopPostgres() {
  await stop();
  stop = async () => {};
}
