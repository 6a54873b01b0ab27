import { startCompanion } from './companions/companion.js';

/**
 * Uses a running PostgreSQL. On `stop`, or when this process ends for any reason, the databases whose names begin with
 * `prefix` are dropped and the directory is removed.
 */
export async function usePostgres(url, prefix, directory) {
  const { line, stop } = await startCompanion('given-server.js', [url, prefix, directory]);
  if (line === undefined) throw new Error('The PostgreSQL of TEST_DATABASE_URL cannot be used');
  return { url, stop };
}
