import type { PoolClient, Submittable } from 'pg';
import { postgresFault } from './postgres-fault.js';
import { type Cells, type Parameter, PostgresQuery } from './postgres-query.js';
import { readerOf, type Statement, type StatementRunner } from './postgres-statements.js';

/**
 * Runs statements one after another on one connection of a pool, until the session ends: after that, the connection
 * belongs to another caller, and a statement would run outside the transaction.
 */
export class PostgresSession implements StatementRunner {
  /** The last statement; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  constructor(
    private readonly client: PoolClient,
    private readonly isPrepared: boolean,
    /** Milliseconds of a statement; 0 for no limit. */
    private readonly limit: number,
  ) {}

  run(statement: Statement, values: unknown[] = []): Promise<Cells[]> {
    if (this.#hasEnded) return Promise.reject(new Error('The transaction has ended; await each of its statements'));
    return this.#queue(statement, values);
  }

  /** Runs several statements without parameters and results at once. */
  runAll(texts: readonly string[]): Promise<unknown> {
    return this.client.query(texts.join('; ')).catch((error: unknown) => {
      throw postgresFault(error, true);
    });
  }

  /** Runs the statement that ends the transaction, after all others. */
  endWith(statement: Statement): Promise<unknown> {
    this.end();
    return this.#queue(statement, []);
  }

  end(): void {
    this.#hasEnded = true;
  }

  #queue(statement: Statement, values: unknown[]): Promise<Cells[]> {
    const result = this.#last.then(() => this.#submit(statement, values as Parameter[]));
    this.#last = result.catch(() => undefined);
    return result;
  }

  #submit({ name, text }: Statement, values: Parameter[]): Promise<Cells[]> {
    const query = new PostgresQuery(this.isPrepared ? name : '', text, values, readerOf, this.limit);
    return new Promise((resolve, reject) => {
      query.callback = (error, rows) => (rows ? resolve(rows) : reject(postgresFault(error, true)));
      this.client.query<Submittable>(query);
    });
  }
}
