import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { assertEnterable } from './assert-enterable.js';
import { startCompanion } from './companions/companion.js';

const PACKAGES = join(import.meta.dirname, '../../../node_modules');

/**
 * Starts PostgreSQL with its data in a new directory. On `stop`, or when this process ends for any reason, the server stops
 * and its data and the directories in `alsoRemove` are removed. With the address and the directory of a `primary`, the
 * server is its standby. `settings` are those of `postgresql.conf`. With a `walDirectory`, the write-ahead log is there, and
 * a server that ends is started again, as a service manager does.
 */
export async function runPostgres(directory, { alsoRemove = [], primary, settings = {}, walDirectory } = {}) {
  // The packages may be a link to those of another folder.
  if (process.getuid?.() === 0) assertEnterable(realpathSync(PACKAGES));
  const options = JSON.stringify({ directory, alsoRemove, primary, settings, walDirectory });
  const { line, stop } = await startCompanion('postgres-server.js', [options]);
  if (line === undefined) throw new Error('PostgreSQL did not start');
  return { url: line, stop };
}
