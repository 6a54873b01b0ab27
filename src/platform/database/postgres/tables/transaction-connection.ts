import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from '../../tables/database-unavailable.js';
import { startDeadline } from '../../transactions/deadline.js';
import { endsConnection, postgresFault } from '../postgres-fault.js';
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
   * Also releases the connection, or ends it when the outage requires that, which rolls back as well: a statement may still
   * run, or the server may not respond.
   */
  async rollBack(outage: unknown): Promise<void> {
    this.session.end();
    const isUsable = outage === undefined || !endsConnection(outage);
    try {
      if (isUsable) await this.session.endWith(ROLLBACK);
      this.client.release(isUsable ? undefined : (outage as Error));
    } catch (error) {
      this.client.release(error as Error);
    }
  }
}

function connect(pool: Pool, end: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const limit = Math.max(1, end - performance.now());
    const meetDeadline = startDeadline(limit, () => {
      isLate = true;
      reject(new DatabaseUnavailable(new Error(`No connection within ${Math.round(limit)} ms`)));
    });
    pool.connect().then(
      (client) => {
        meetDeadline();
        // The caller has given up.
        if (isLate) client.release();
        else resolve(client);
      },
      (error: unknown) => {
        meetDeadline();
        reject(postgresFault(error, !pool.ended));
      },
    );
  });
}
