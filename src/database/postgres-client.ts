import { Client } from 'pg';

/**
 * A connection that ends when a statement is not answered in time. `pg` gives up the statement alone, and whoever asks
 * next would wait behind it, on a connection to a machine that is perhaps gone.
 */
export class PostgresClient extends Client {
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
