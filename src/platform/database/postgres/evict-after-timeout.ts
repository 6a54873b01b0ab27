import type { Pool, PoolClient } from 'pg';

/** A connection that remembers whether a statement on it timed out. */
export interface TimedClient {
  readonly hasTimedOut: boolean;
}

/**
 * Evicts the idle connections of a pool when a statement on another one times out. The network or the server has most
 * likely dropped them all, and each would fail the next request on it. The pool's clients are PostgresClients.
 */
export function evictIdleAfterTimeout(pool: Pool): void {
  const idle = new Set<PoolClient>();
  const forget = (client: PoolClient): boolean => idle.delete(client);
  pool.on('acquire', forget);
  pool.on('remove', forget);
  pool.on('release', (error: Error | undefined, client) => {
    const hasTimedOut = error ? isTimeout(error) : (client as PoolClient & TimedClient).hasTimedOut;
    if (hasTimedOut) {
      // 'error' makes the pool discard an idle connection.
      for (const other of idle) other.emit('error', new Error('A statement on another connection timed out'));
      idle.clear();
    } else if (!error) {
      idle.add(client);
    }
  });
}

/** Whether `pg` reports that a statement was not answered within its `query_timeout`; the error has no code. */
export function isTimeout({ message }: Error): boolean {
  return message === 'Query read timeout';
}
