import type { CustomTypesConfig, Pool, QueryArrayConfig } from 'pg';
import { databaseFault } from './database-fault.js';

export type Cells = unknown[];

/** Of `bigint` in PostgreSQL's catalogue; `pg` would hand it out as text. */
const INT8 = 20;
export const exactTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === INT8 ? BigInt : (text: string) => text) as never,
};

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
  async run({ name, text }: Statement, values: unknown[]): Promise<Cells[]> {
    const query: QueryArrayConfig = { text, values, rowMode: 'array', types: exactTypes };
    if (this.isPrepared) query.name = name;
    try {
      return (await this.pool.query<Cells>(query)).rows;
    } catch (error) {
      throw databaseFault(error, !this.pool.ended);
    }
  }
}
