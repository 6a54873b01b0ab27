import { startCompanion } from './companion.js';

/**
 * Uses a PostgreSQL that runs already. With `stop` or with this process, however that ends, the databases go whose names
 * begin with `prefix`, and the directory.
 */
export async function usePostgres(url, prefix, directory) {
  const { line, stop } = await startCompanion('given-server.js', [url, prefix, directory]);
  if (line === undefined) throw new Error('The PostgreSQL of TEST_DATABASE_URL cannot be used');
  return { url, stop };
}
