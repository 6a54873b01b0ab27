import type { CustomTypesConfig, Pool } from 'pg';
import { databaseFault } from '../tables/database-fault.js';
import { type Answered, type CellReader, type Cells, type Parameter, PostgresQuery } from './postgres-query.js';

/** Of `bigint` in PostgreSQL's catalogue; `pg` would hand it out as text. */
const INT8 = 20;
export const exactTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === INT8 ? BigInt : (text: string) => text) as never,
};

const readerOf = (type: number): CellReader => exactTypes.getTypeParser(type, 'text');

/** What a pool of `pg` does, and its types do not tell: being called back, it makes no promises of its own. */
interface SubmittingPool {
  query(query: PostgresQuery, values: undefined, answered: Answered): void;
}

export interface Statement {
  /** What a connection knows it by once it is prepared. The same name is always the same text. */
  readonly name: string;
  readonly text: string;
}

/** Runs statements on one server: int64 exact, rows as arrays, prepared where connections are kept. */
export class PostgresStatements {
  constructor(
    readonly pool: Pool,
    private readonly isPrepared: boolean,
  ) {}

  /** Throws DatabaseUnavailable when the server cannot do its work now. */
  run({ name, text }: Statement, values: unknown[]): Promise<Cells[]> {
    const query = new PostgresQuery(this.isPrepared ? name : '', text, values as Parameter[], readerOf);
    return new Promise((resolve, reject) => {
      (this.pool as SubmittingPool).query(query, undefined, (error, rows) => {
        if (rows) resolve(rows);
        else reject(databaseFault(error, !this.pool.ended));
      });
    });
  }
}
