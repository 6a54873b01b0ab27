import { Client, type ClientConfig, type QueryResult } from 'pg';
import { isTimeout, type TimedClient } from './evict-after-timeout.js';

/**
 * A connection that ends when a statement times out. `pg` only abandons the statement: the next one would wait behind it,
 * on a connection to a machine that may be gone.
 */
export class PostgresClient extends Client implements TimedClient {
  #hasTimedOut = false;

  constructor(config?: ClientConfig) {
    super(config);
    // A server may end a connection during its handover, while neither pool nor caller listens; an unhandled 'error' would
    // end the process. The query's caller receives the error.
    this.on('error', () => {});
  }

  get hasTimedOut(): boolean {
    return this.#hasTimedOut;
  }

  override query(...query: unknown[]): never {
    const answer = (super.query as (...query: unknown[]) => unknown).apply(this, query);
    // A caller with a callback, such as a pool, releases the connection with the error itself.
    if (answer instanceof Promise) answer.catch((error: Error) => this.#endAfter(error));
    // `never` is assignable to the return type of every overload of `query`.
    return answer as never;
  }

  #endAfter(error: Error): void {
    if (!isTimeout(error)) return;
    this.#hasTimedOut = true;
    void this.end();
  }
}

/** Part of the first statement of a connection to the primary. */
const IS_STANDBY = 'pg_is_in_recovery() AS "isStandby"';

/**
 * Otherwise a commit would be acknowledged before it is on disk. The other values wait at least for the disk of the primary.
 * They are set as well, so that `off` in a later configuration of the server does not reach the connection.
 */
const COMMIT_TO_DISK = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/**
 * A connection to a server that is no standby: after a failover the address may lead to one, whose rows are old, and which
 * stores nothing.
 */
export class PrimaryClient extends PostgresClient {
  protected readonly firstStatement: string = `SELECT ${IS_STANDBY}`;

  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error | null, client?: Client) => void)?];
    const begin = async (): Promise<void> => {
      const answer: Promise<QueryResult<{ isStandby: boolean }>> = super.query(this.firstStatement);
      const { rows } = await answer;
      if (rows[0]?.isStandby)
        throw new Error('its server is a standby; promote it, or give the address of the primary');
    };
    const connecting = super
      .connect()
      .then(() => begin().catch((error: Error) => this.#endBecause(error)))
      .then(() => this);
    if (callback) connecting.then(() => callback(null, this), callback);
    // As for `query`.
    return (callback ? undefined : connecting) as never;
  }

  /** A pool forgets a client that could not connect, and the server would keep its connection. */
  #endBecause(error: Error): never {
    void this.end();
    throw error;
  }
}

/**
 * The same, whose commits are on disk before they are acknowledged, whatever the server, the database or the user says.
 * Not for a pooler, which would give it to other clients.
 */
export class DurableClient extends PrimaryClient {
  protected override readonly firstStatement = `SELECT ${IS_STANDBY}, ${COMMIT_TO_DISK}`;
}
