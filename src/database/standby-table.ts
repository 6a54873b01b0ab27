import { PostgresReader } from './postgres-reader.js';
import type { Standbys } from './standbys.js';
import type { PageRequest, Row, Table } from './table.js';
import type { TableDescription } from './table-columns.js';

/**
 * Asks a standby first, and believes what it cannot get wrong however far it is behind. Rows are never changed nor
 * removed, and committed in the order of their ids, so a standby has all rows up to some id as the primary has them: a
 * full page and a row that is there are exact. What it lacks may have come since, and the primary is asked. (ADR 8.)
 */
export class StandbyTable<Entity extends { id: bigint }> implements Table<Entity> {
  readonly #reader: PostgresReader<Entity>;

  constructor(
    private readonly primary: Table<Entity>,
    private readonly standbys: Standbys,
    table: TableDescription,
  ) {
    this.#reader = new PostgresReader(table);
  }

  async page(request: PageRequest<Entity>): Promise<Row<Entity>[]> {
    const rows = await this.standbys.ask((server) => this.#reader.page(server, request));
    return rows?.length === request.limit ? rows : this.primary.page(request);
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    const row = await this.standbys.ask((server) => this.#reader.find(server, id));
    return row ?? this.primary.find(id);
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.primary.insert(row);
  }
}
