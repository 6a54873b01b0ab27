import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { PostgresReader } from '../postgres/postgres-reader.js';
import type { Standbys } from './standbys.js';
import type { PageRequest, Row, Table } from '../tables/keyset-table.js';
import type { TableDescription } from '../tables/table-columns.js';

/** Milliseconds that a standby takes and a request need not make up for. */
const UNNOTICED = 50;

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
    const start = performance.now();
    const rows = await this.standbys.ask((server) => this.#reader.page(server, request));
    return rows?.length === request.limit ? rows : this.#inTime(start, this.primary.page(request));
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    const start = performance.now();
    const row = await this.standbys.ask((server) => this.#reader.find(server, id));
    return row ?? this.#inTime(start, this.primary.find(id));
  }

  /** What the primary answers; when the standby has cost time, within that of a statement: both together have 2 s. */
  async #inTime<T>(start: number, answer: Promise<T>): Promise<T> {
    if (performance.now() - start < UNNOTICED) return answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable()), this.standbys.patience);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.primary.insert(row);
  }
}
