import type { CustomTypesConfig, Pool, Submittable } from 'pg';
import { noteStatement } from '../../process/large-results.js';
import { endsConnection, isDeadlock, isStalePlan, postgresFault } from './postgres-fault.js';
import { type CellReader, type Cells, type Parameter, PostgresQuery, type QueryCallback } from './postgres-query.js';

/** The OID of `bigint`, which `pg` would return as text. */
const INT8 = 20;

export const readerOf = (type: number): CellReader => (type === INT8 ? BigInt : (text) => text);

/** The same for `pg`'s own queries. Its type has an overload for each OID, which no function can satisfy. */
export const exactTypes: CustomTypesConfig = { getTypeParser: readerOf as never };

export interface Statement {
  /** The name of the prepared statement, which always stands for the same text; empty to prepare it each time. */
  readonly name: string;
  readonly text: string;
}

export interface StatementRunner {
  /** Throws DatabaseUnavailable when the server cannot do its work now, and a Conflict when other rows forbid it. */
  run(statement: Statement, values: unknown[]): Promise<Cells[]>;
}

/** Runs statements, each a transaction of its own, on one server: int64 exact, rows as arrays, prepared unless a pooler is in between. */
export class PostgresStatements implements StatementRunner {
  /** Milliseconds. */
  readonly #limit: number;

  constructor(
    readonly pool: Pool,
    private readonly isPrepared: boolean,
  ) {
    this.#limit = pool.options.query_timeout ?? 0;
  }

  run(statement: Statement, values: unknown[]): Promise<Cells[]> {
    return this.#run(statement, values as Parameter[], this.#limit);
  }

  #run(statement: Statement, values: Parameter[], limit: number): Promise<Cells[]> {
    const query = new PostgresQuery(this.isPrepared ? statement.name : '', statement.text, values, readerOf, limit);
    return new Promise((resolve, reject) => {
      const settle: QueryCallback = (error, rows) => {
        if (rows) resolve(rows);
        // It stored nothing, and the other transactions of the deadlock continue; repeat it in the rest of its time. The
        // connection with the stale plan has ended.
        else if (isDeadlock(error) || isStalePlan(error)) resolve(this.#run(statement, values, query.query_timeout));
        else reject(postgresFault(error, !this.pool.ended));
      };
      // Not `pool.query`, which ends the connection after every error: a few callers who get conflicts would keep the pool
      // busy with new connections. With a callback, the pool makes no promises of its own.
      this.pool.connect((error, client) => {
        if (!client) return settle(error);
        query.callback = (failure, rows) => {
          client.release(rows || !endsConnection(failure) ? undefined : (failure as Error));
          settle(failure, rows);
        };
        client.query<Submittable>(query);
      });
      noteStatement(this.pool);
    });
  }
}
