import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { entityError } from '../tables/columns/entity-error.js';
import { findOrphans, type Orphans } from './find-orphans.js';

/** Orphans that refer to the same missing row in the same way, and their number. */
type Counts = ReadonlyMap<string, number>;

const EXISTS = `SELECT 1 FROM "sqlite_schema" WHERE "name" = 'orphans_before_migrations'`;
const CREATE = 'CREATE TABLE IF NOT EXISTS "orphans_before_migrations" ("orphans" text PRIMARY KEY, "count" integer)';
const READ = 'SELECT "orphans", "count" FROM "orphans_before_migrations"';
const CLEAR = 'DELETE FROM "orphans_before_migrations"';
const ADD = 'INSERT INTO "orphans_before_migrations" VALUES (?, ?)';
const DROP = 'DROP TABLE IF EXISTS "orphans_before_migrations"';

/**
 * Finds rows that a migration has left without the row to which they refer. SQLite checks only rows that change, and none
 * during a migration, whereas PostgreSQL checks all rows when a foreign key is added.
 */
export class NewOrphans {
  #before: Counts = new Map();
  #isKept = false;

  constructor(private readonly dataSource: DataSource) {}

  /** Each migration runs on a connection of its own. */
  get #connection(): Database.Database {
    return sqliteConnection(this.dataSource);
  }

  /**
   * `isKept`: whether a migration has no transaction, so that its orphans stay when it is refused or killed. Then the
   * database records the orphans from before it until all migrations have run: the next attempt must not count those of
   * the migration among them.
   */
  begin(isKept: boolean): void {
    const kept = this.#read();
    this.#isKept = isKept;
    if (kept) this.#before = kept;
    else this.#note(findOrphans(this.#connection));
  }

  /** Throws a StartError when a migration has made orphans. */
  refuse(migration: string): void {
    const orphans = findOrphans(this.#connection);
    const made = orphans.find((each) => each.count > (this.#before.get(keyOf(each)) ?? 0));
    if (made) throw refusalOf(made, migration);
    this.#note(orphans);
  }

  end(): void {
    this.#connection.exec(DROP);
  }

  #note(orphans: readonly Orphans[]): void {
    this.#before = new Map(orphans.map((each) => [keyOf(each), each.count]));
    if (this.#isKept) this.#connection.transaction(() => this.#keep()).immediate();
  }

  #keep(): void {
    this.#connection.exec(CREATE);
    this.#connection.exec(CLEAR);
    const add = this.#connection.prepare(ADD);
    for (const entry of this.#before) add.run(entry);
  }

  /** Those that an earlier attempt has kept. */
  #read(): Counts | undefined {
    if (this.#connection.prepare(EXISTS).get() === undefined) return undefined;
    const rows = this.#connection.prepare<[], { orphans: string; count: number }>(READ).all();
    return new Map(rows.map(({ orphans, count }) => [orphans, count]));
  }
}

const keyOf = ({ table, columns, parent, cells }: Orphans): string => JSON.stringify([table, columns, parent, cells]);

function refusalOf({ table, columns, parent, id }: Orphans, migration: string): Error {
  const row = id === null ? 'a row' : `row ${id}`;
  return entityError(
    { name: migration },
    undefined,
    `${migration} leaves ${row} of "${table}" without the row of "${parent}" to which it refers by ${columns}; correct or delete such rows, in the migration or before it.`,
  );
}
