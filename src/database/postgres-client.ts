import { Client, type ClientConfig } from 'pg';

/**
 * A connection that ends when a statement is not answered in time. `pg` gives up the statement alone, and whoever asks
 * next would wait behind it, on a connection to a machine that is perhaps gone.
 */
export class PostgresClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // A server may end a connection that is just being handed over, when nobody listens yet; that must not end the
    // process. Whoever uses the connection hears of it from his statement.
    this.on('error', () => {});
  }

  override query(...query: unknown[]): never {
    const answer = (super.query as (...query: unknown[]) => unknown).apply(this, query);
    // A caller who is called back, as a pool is, sees to it himself.
    if (answer instanceof Promise) answer.catch((error: Error) => this.#endAfter(error));
    return answer as never;
  }

  #endAfter({ message }: Error): void {
    if (message === 'Query read timeout') void this.end();
  }
}
