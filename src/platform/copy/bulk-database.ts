import type { PoolClient } from 'pg';
import type { DataSource, EntityTarget } from 'typeorm';
import { postgresPool } from '../database/postgres/postgres.js';
import { wholeEntity } from '../database/tables/columns/shared-tables.js';
import { SequenceEntity } from '../database/tables/sequence.entity.js';
import { sqliteConnection } from '../database/sqlite/sqlite.js';
import { StartError } from '../process/start-error.js';
import { type BulkTable, describeBulkTable, inOrderOfReferences } from './bulk-table.js';
import { PostgresBulkTable } from './postgres-bulk-table.js';
import { refuseLosses } from './refuse-losses.js';
import { SqliteBulkTable } from './sqlite-bulk-table.js';

type OpenTable = (entity: EntityTarget<object>) => BulkTable;

/** A row of SQLite's `PRAGMA foreign_key_check`. */
interface WrongReference {
  readonly table: string;
  readonly parent: string;
}

/** A database of either engine, on one connection, for a command that reads or writes all of it. */
export class BulkDatabase {
  /** All tables but the sequences, by name, except that a table follows those that it refers to. */
  readonly tables: readonly BulkTable[];
  readonly sequences: BulkTable;
  /** At the last snapshot. */
  #version: unknown;

  private constructor(
    readonly name: string,
    private readonly dataSource: DataSource,
    private readonly client: PoolClient | undefined,
  ) {
    const open: OpenTable = (entity) => {
      const description = describeBulkTable(dataSource, entity);
      return client
        ? new PostgresBulkTable(client, description)
        : new SqliteBulkTable(sqliteConnection(dataSource), description);
    };
    const entities = dataSource.entityMetadatas
      .filter((metadata) => metadata === wholeEntity(metadata))
      .map(({ target }) => target)
      .filter((it) => it !== SequenceEntity);
    this.tables = inOrderOfReferences(entities.map(open).toSorted((one, other) => one.name.localeCompare(other.name)));
    this.sequences = open(SequenceEntity);
  }

  /** `name` is for messages. */
  static async of(dataSource: DataSource, name: string): Promise<BulkDatabase> {
    if (dataSource.options.type !== 'postgres') {
      // Rows may refer to rows that are copied later. `checkReferences` checks all of them.
      sqliteConnection(dataSource).pragma('foreign_keys = OFF');
      return new BulkDatabase(name, dataSource, undefined);
    }
    const client = await postgresPool(dataSource).connect();
    // The statement that uses the connection receives the error; an unhandled 'error' would end the process.
    client.on('error', () => undefined);
    return new BulkDatabase(name, dataSource, client);
  }

  /** Throws a StartError when a copy would lack tables or columns other than those that are `leftOut` on purpose. */
  refuseLosses(leftOut: readonly string[]): Promise<void> {
    return refuseLosses(this.dataSource, this.name, leftOut);
  }

  /** Later reads see the database as it is now, whatever others write meanwhile. */
  async startSnapshot(): Promise<void> {
    await this.#run(this.client ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
    this.#version = await this.#readVersion();
  }

  async endSnapshot(): Promise<void> {
    await this.#run('COMMIT');
  }

  /** Whether anything was written since the last snapshot, to the file or to any database of the server. */
  async hasChanged(): Promise<boolean> {
    return (await this.#readVersion()) !== this.#version;
  }

  /**
   * Throws a StartError for a row that refers to a missing one. Only for SQLite, whose foreign keys are off during a copy;
   * PostgreSQL has refused such a row when it was inserted.
   */
  async checkReferences(): Promise<void> {
    if (this.client) return;
    const [wrong] = sqliteConnection(this.dataSource).pragma('foreign_key_check') as WrongReference[];
    if (!wrong) return;
    throw new StartError(
      `A row of "${wrong.table}" refers to a row of "${wrong.parent}" that does not exist; fix it in the source, and copy into an empty database instead of ${this.name}.`,
    );
  }

  async close(): Promise<void> {
    this.client?.release(true);
    await this.dataSource.destroy();
  }

  /** Differs whenever others have committed in between. */
  async #readVersion(): Promise<unknown> {
    if (!this.client) return sqliteConnection(this.dataSource).pragma('data_version', { simple: true });
    const { rows } = await this.client.query<{ version: string }>(`SELECT pg_current_snapshot()::text AS "version"`);
    return rows[0]?.version;
  }

  async #run(statement: string): Promise<void> {
    if (this.client) await this.client.query(statement);
    else sqliteConnection(this.dataSource).exec(statement);
  }
}
