import type { Conditions } from '../tables/conditions.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import type { ServedDatabase } from './served-database.js';

/** A table of a database that was unavailable at the start. Each method rejects with DatabaseUnavailable until it is open. */
export class LateTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  #table?: KeysetTable<Entity>;

  constructor(
    private readonly database: ServedDatabase,
    open: () => KeysetTable<Entity>,
  ) {
    database.whenOpen(() => void (this.#table = open()));
  }

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    return this.#use((table) => table.page(request));
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    return this.#use((table) => table.find(id));
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    return this.#use((table) => table.insert(row));
  }

  update(id: bigint, changes: Changes<Entity>, where?: Conditions<Entity>): Promise<boolean> {
    return this.#use((table) => table.update(id, changes, where));
  }

  delete(id: bigint, where?: Conditions<Entity>): Promise<boolean> {
    return this.#use((table) => table.delete(id, where));
  }

  #use<Result>(work: (table: KeysetTable<Entity>) => Promise<Result>): Promise<Result> {
    return this.#table && this.database.isOpen ? work(this.#table) : Promise.reject(this.database.unavailable());
  }
}
