import type { Pool, PoolClient } from 'pg';
import type { PostgresClient } from './postgres-client.js';

/**
 * Ends the idle connections of a pool when a statement on one of the others was not answered: what is between here and
 * the server has most likely lost them all, and each would cost a request that is sent by it.
 */
export function endIdleAfterSilence(pool: Pool): void {
  const idle = new Set<PoolClient>();
  const forget = (client: PoolClient): boolean => idle.delete(client);
  pool.on('acquire', forget);
  pool.on('remove', forget);
  pool.on('release', (error: Error | undefined, client) => {
    const isSilent = error ? isSilence(error) : (client as unknown as PostgresClient).isSilent;
    if (isSilent) {
      // To the pool, an idle connection that fails is one less.
      for (const other of idle) other.emit('error', new Error('The server does not respond'));
      idle.clear();
    } else if (!error) {
      idle.add(client);
    }
  });
}

/** Whether an error is that of a statement that was not answered. */
export function isSilence({ message }: Error): boolean {
  return message === 'Query read timeout';
}
