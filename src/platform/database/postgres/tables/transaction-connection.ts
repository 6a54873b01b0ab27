import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from '../../tables/database-unavailable.js';
import { postgresFault } from '../postgres-fault.js';
import { PostgresSession } from '../postgres-session.js';

const COMMIT = { name: 'commit', text: 'COMMIT' };
const ROLLBACK = { name: 'rollback', text: 'ROLLBACK' };

/** A connection that the pool lends to one transaction. */
export class TransactionConnection {
  private constructor(
    private readonly client: PoolClient,
    readonly session: PostgresSession,
  ) {}

  /** `end` is when to stop waiting for one, as `performance.now()`. Rejects with DatabaseUnavailable. */
  static async of(pool: Pool, isPrepared: boolean, end: number): Promise<TransactionConnection> {
    const client = await connect(pool, end);
    return new TransactionConnection(client, new PostgresSession(client, isPrepared, pool.options.query_timeout ?? 0));
  }

  /** Also releases the connection, unless it rejects: then the transaction must be rolled back. */
  async commit(): Promise<void> {
    await this.session.endWith(COMMIT);
    this.client.release();
  }

  /**
   * Also releases the connection. After an outage that PostgreSQL did not report, ends it, which rolls back as well: a
   * statement may still run, or the server may not respond.
   */
  async rollBack(outage: unknown): Promise<void> {
    this.session.end();
    try {
      if (outage === undefined) await this.session.endWith(ROLLBACK);
      this.client.release(outage as Error | undefined);
    } catch (error) {
      this.client.release(error as Error);
    }
  }
}

async function connect(pool: Pool, end: number): Promise<PoolClient> {
  const connecting = pool.connect();
  const late = new AbortController();
  try {
    if (end === Infinity) return await connecting;
    return await Promise.race([connecting, expire(end, late.signal)]);
  } catch (error) {
    // The caller has given up: a connection that arrives late goes back to the pool.
    void connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw postgresFault(error, !pool.ended);
  } finally {
    late.abort();
  }
}

async function expire(end: number, signal: AbortSignal): Promise<never> {
  const limit = Math.max(1, end - performance.now());
  await delay(limit, undefined, { signal });
  throw new DatabaseUnavailable(new Error(`No connection within ${Math.round(limit)} ms`));
}
