import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { StatementRunner } from '../postgres/postgres-statements.js';
import { PostgresRows } from '../postgres/tables/postgres-rows.js';
import type { PostgresTable } from '../postgres/tables/postgres-table.js';
import type { Standbys } from './standbys.js';
import type { Conditions } from '../tables/conditions.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import { isInsideTransaction } from '../transactions/transaction-scope.js';
import type { TableDescription } from '../tables/columns/table-columns.js';

/** Milliseconds of a standby's answer that leave the primary all of its time. */
const NEGLIGIBLE = 50;

/**
 * Reads from a standby first, and uses the answer only where staleness is harmless. Its rows are @AppendOnly() and
 * commit in the order of their ids, so a standby has every row up to some id: a full page and a row that it finds are
 * exact, up to the last id that the primary is known to show. A missing row may be new, so the primary answers. (ADR 8.)
 */
export class StandbyTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  readonly #rows: PostgresRows;

  constructor(
    private readonly primary: PostgresTable<Entity>,
    private readonly standbys: Standbys,
    private readonly table: TableDescription,
  ) {
    this.#rows = new PostgresRows(table);
  }

  async page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    // The order of another column is not that of the commits. The primary refuses what a transaction must not do.
    if (request.orderBy || isInsideTransaction() || !this.#isShown(request.from)) return this.primary.page(request);
    const start = performance.now();
    const { limit } = request;
    // Both servers read what the request holds now.
    const read = this.#rows.pageOf(request) as (server: StatementRunner) => Promise<(Row<Entity> & { id: bigint })[]>;
    const rows = await this.standbys.read(read);
    return rows?.length === limit && this.#isShown(rows.at(-1)?.id)
      ? rows
      : this.#inTime(start, this.primary.read(read));
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    if (isInsideTransaction() || !this.#isShown(id)) return this.primary.find(id);
    const start = performance.now();
    const row = (await this.standbys.read((server) => this.#rows.find(server, id))) as Row<Entity> | undefined;
    return row ?? this.#inTime(start, this.primary.find(id));
  }

  /** For no id, whether any is shown. */
  #isShown(id: bigint | undefined): boolean {
    return this.standbys.isShown(this.table.name, id);
  }

  /** Limits both to the time of one statement if the standby was slow: a caller waits 2 s at most by default. */
  async #inTime<T>(start: number, answer: Promise<T>): Promise<T> {
    const spent = performance.now() - start;
    if (spent < NEGLIGIBLE) return answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable()), this.standbys.readTimeout - spent);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    return this.primary.insert(row);
  }

  update(id: bigint, changes: Changes<Entity>, where?: Conditions<Entity>): Promise<boolean> {
    return this.primary.update(id, changes, where);
  }

  delete(id: bigint, where?: Conditions<Entity>): Promise<boolean> {
    return this.primary.delete(id, where);
  }
}
