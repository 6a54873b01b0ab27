import { Client, type ClientConfig } from 'pg';
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

/**
 * Otherwise a commit would be acknowledged before it is on disk. The other values wait at least for the disk of the primary.
 * They are set as well, so that `off` in a later configuration of the server does not reach the connection.
 */
const COMMIT_TO_DISK = `SELECT set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/**
 * A connection whose commits are on disk before they are acknowledged, whatever the server, the database or the user says.
 * Not for a pooler, which would give it to other clients.
 */
export class DurableClient extends PostgresClient {
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error | null, client?: Client) => void)?];
    const commitToDisk = (): Promise<unknown> => super.query(COMMIT_TO_DISK);
    const connecting = super
      .connect()
      .then(() => commitToDisk().catch((error: Error) => this.#endBecause(error)))
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
