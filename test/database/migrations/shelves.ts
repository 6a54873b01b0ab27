import { type DataSource, Entity, Check, Column, ForeignKey, PrimaryColumn } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { stepOf, type Up } from './migrated-database.js';

@Entity('shelves', { withoutRowid: true })
@Check('"boards" > 0')
export class ShelfEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'integer' })
  boards: number;
}

@Entity('books', { withoutRowid: true })
export class BookEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => ShelfEntity, { onDelete: 'CASCADE' })
  @Column(INT64)
  shelfId: bigint;
}

@Entity('lamps', { withoutRowid: true })
export class LampEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => ShelfEntity, { onDelete: 'SET NULL' })
  @Column({ ...INT64, nullable: true })
  shelfId: bigint | null;
}

/** Rows that refer to a row which is deleted are deleted as well, or refer to none. */
export const SHELVES = [ShelfEntity, BookEntity, LampEntity];

const END = ENGINE === 'sqlite' ? ' WITHOUT ROWID' : '';

/** Creates their tables. */
export const createShelves: Up = async (runner) => {
  const check = runner.dataSource.namingStrategy.checkConstraintName('shelves', '"boards" > 0');
  const key = 'REFERENCES "shelves" ("id") ON DELETE';
  await runner.query(
    `CREATE TABLE "shelves" ("id" bigint NOT NULL PRIMARY KEY, "boards" integer NOT NULL, CONSTRAINT "${check}" CHECK ("boards" > 0))${END}`,
  );
  for (const [table, column] of [
    ['books', `bigint NOT NULL ${key} CASCADE`],
    ['lamps', `bigint ${key} SET NULL`],
  ])
    await runner.query(`CREATE TABLE "${table}" ("id" bigint NOT NULL PRIMARY KEY, "shelfId" ${column})${END}`);
};

export const CREATE_SHELVES = stepOf(0, createShelves);

/** Adds two shelves, each with a book and a lamp. */
export async function fillShelves(dataSource: DataSource): Promise<void> {
  for (const boards of [1, 2]) {
    const shelfId = await openTable<ShelfEntity>(dataSource, ShelfEntity).insert({ boards });
    await openTable<BookEntity>(dataSource, BookEntity).insert({ shelfId });
    await openTable<LampEntity>(dataSource, LampEntity).insert({ shelfId });
  }
}

/** The shelves of the books, and those of the lamps. */
export async function keptShelves(dataSource: DataSource): Promise<(bigint | null | undefined)[][]> {
  const all = { where: {}, limit: 9 };
  const books = await openTable(dataSource, BookEntity).page(all);
  const lamps = await openTable(dataSource, LampEntity).page(all);
  return [books, lamps].map((rows) => rows.map(({ shelfId }) => shelfId));
}
