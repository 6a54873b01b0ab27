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
