import { startCompanion } from './companion.js';

/**
 * Starts a PostgreSQL whose data are in a directory that is not there yet. It ends, and its data go, with `stop` or
 * with this process, however that ends; the directories of `alsoRemove` go with them. With a `primary`, its address and
 * its directory, it is a standby of it. `settings` are of `postgresql.conf`.
 */
export async function runPostgres(directory, { alsoRemove = [], primary, settings = {} } = {}) {
  const options = JSON.stringify({ directory, alsoRemove, primary, settings });
  const { line, stop } = await startCompanion('postgres-server.js', [options]);
  if (line === undefined) throw new Error('PostgreSQL did not start');
  return { url: line, stop };
}
