import { Client, type ClientConfig } from 'pg';
import { isSilence } from './evict-after-timeout.js';

/**
 * A connection that ends when a statement is not answered in time. `pg` gives up the statement alone, and whoever asks
 * next would wait behind it, on a connection to a machine that is perhaps gone.
 */
export class PostgresClient extends Client {
  #isSilent = false;

  constructor(config?: ClientConfig) {
    super(config);
    // A server may end a connection that is just being handed over, when nobody listens yet; that must not end the
    // process. Whoever uses the connection hears of it from his statement.
    this.on('error', () => {});
  }

  /** Whether a statement was not answered. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  override query(...query: unknown[]): never {
    const answer = (super.query as (...query: unknown[]) => unknown).apply(this, query);
    // A caller who is called back, as a pool is, sees to it himself.
    if (answer instanceof Promise) answer.catch((error: Error) => this.#endAfter(error));
    return answer as never;
  }

  #endAfter(error: Error): void {
    if (!isSilence(error)) return;
    this.#isSilent = true;
    void this.end();
  }
}
