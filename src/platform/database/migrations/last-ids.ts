import type { DataSource, QueryRunner } from 'typeorm';
import { tablesWithIds } from './raise-sequences.js';

interface Last {
  /** Text on PostgreSQL; null for a table that never had a row. */
  readonly last: string | number | bigint | null;
}

/**
 * The last id of each table. Ids are counted by the name of the table: under another name, those of deleted rows would be
 * given again. Whether a new table has the rows of one that is gone is not always known, as when a migration copies them. So
 * each one continues behind all that are gone: an id that nothing has is only a gap.
 */
export class LastIds {
  #before: ReadonlyMap<string, bigint> = new Map();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly runner: QueryRunner,
  ) {}

  /** Runs the statements of a migration. */
  static async keptBy(dataSource: DataSource, runner: QueryRunner, migrate: () => Promise<unknown>): Promise<void> {
    const ids = new LastIds(dataSource, runner);
    await ids.#note();
    await migrate();
    await ids.#keep();
  }

  async #note(): Promise<void> {
    const lasts = new Map<string, bigint>();
    for (const name of await tablesWithIds(this.dataSource, this.runner)) {
      lasts.set(name, await this.#greatest(this.#lastsOf(name)));
    }
    this.#before = lasts;
  }

  async #keep(): Promise<void> {
    const names = await tablesWithIds(this.dataSource, this.runner);
    // An undone migration may have removed "sequences" itself.
    if (names.length === 0) return;
    let last = 0n;
    for (const [name, before] of this.#before) {
      if (names.includes(name)) continue;
      // The previous release may have added rows until the migration began to change the table.
      const now = await this.#greatest(sequenceOf(name));
      last = [last, before, now].reduce((one, other) => (one > other ? one : other));
    }
    if (last > 0n) for (const name of names) if (!this.#before.has(name)) await this.#raise(name, last);
  }

  /** On SQLite, the last id of an append-only table is only in its rows. */
  #lastsOf(name: string): string {
    if (this.dataSource.options.type === 'postgres') return sequenceOf(name);
    return `SELECT max("id") AS "last" FROM "${name.replaceAll('"', '""')}" UNION ALL ${sequenceOf(name)}`;
  }

  async #greatest(lasts: string): Promise<bigint> {
    const rows = (await this.runner.query(`SELECT max("last") AS "last" FROM (${lasts}) AS "lasts"`)) as Last[];
    return BigInt(rows[0]?.last ?? 0);
  }

  async #raise(name: string, last: bigint): Promise<void> {
    await this.runner.query(`INSERT INTO "sequences" ("name", "last") VALUES (${literal(name)}, ${last})
      ON CONFLICT ("name") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "sequences"."last"`);
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const sequenceOf = (name: string): string => `SELECT "last" FROM "sequences" WHERE "name" = ${literal(name)}`;
