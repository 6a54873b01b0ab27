import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, Index, PrimaryColumn } from 'typeorm';
import { BulkDatabase } from '../../src/platform/copy/bulk-database.js';
import { openTable } from '../../src/platform/database/open-table.js';
import { tableToken } from '../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { openStock, reopen, type Stock } from './support/stock.js';

/** The names of its table and columns, joined, are those of the other two. */
@Entity('book')
@Index('book_by_size', ['page_size', 'id'])
class BookEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  page_size: bigint;

  @Column(INT64)
  delete_mark: bigint;
}

@Entity('book_page')
@Index('page_by_size', ['size', 'id'])
class PageEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  size: bigint;

  @Column(INT64)
  secret: bigint;
}

@Entity('book_delete')
class DeleteEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  mark: bigint;
}

/** Each column has a name that statements give to a part of themselves. */
@Entity('taken')
class TakenEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'integer' })
  position: number;

  @Column({ type: 'text' })
  before: string;

  @Column({ type: 'integer' })
  last: number;

  @Column({ type: 'text' })
  row: string;

  @Column({ name: '1', type: 'integer' })
  first: number;
}

const TABLES = [
  'CREATE TABLE "book" ("id" bigint PRIMARY KEY, "page_size" bigint NOT NULL, "delete_mark" bigint NOT NULL)',
  'CREATE TABLE "book_page" ("id" bigint PRIMARY KEY, "size" bigint NOT NULL, "secret" bigint NOT NULL)',
  'CREATE TABLE "book_delete" ("id" bigint PRIMARY KEY, "mark" bigint NOT NULL)',
];

function namedToys(): Type<{ id: bigint; name: string }> {
  @Entity('toys', { synchronize: false })
  class PartEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @Column({ type: 'text' })
    name: string;
  }
  return PartEntity;
}

function pricedToys(): Type<{ id: bigint; price: bigint }> {
  @Entity('toys', { synchronize: false })
  class PartEntity {
    @PrimaryColumn(INT64)
    id: bigint;

    @Column(INT64)
    price: bigint;
  }
  return PartEntity;
}

const TAKEN =
  'CREATE TABLE "taken" ("id" bigint PRIMARY KEY, "position" integer NOT NULL, "before" text NOT NULL, "last" integer NOT NULL, "row" text NOT NULL, "1" integer NOT NULL)';

let stock: Stock;
let dataSource: DataSource | undefined;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(async () => {
  await dataSource?.destroy();
  await stock.close();
});

describe('tables', () => {
  it('have statements of their own when their names and columns are the same once joined', async () => {
    for (const text of TABLES) await stock.dataSource.query(text);
    dataSource = await reopen(stock, [BookEntity, PageEntity, DeleteEntity]);
    const [books, pages, deletes] = [
      openTable(dataSource, BookEntity),
      openTable(dataSource, PageEntity),
      openTable(dataSource, DeleteEntity),
    ];
    const book = { page_size: 5n, delete_mark: 7n };
    const id = await books.insert(book);
    await pages.insert({ size: 5n, secret: 99n });
    await deletes.insert({ mark: 7n });
    expect(await books.page({ where: { page_size: 5n }, limit: 9 })).toEqual([{ id, ...book }]);
    expect(await pages.page({ where: { size: 5n }, limit: 9 })).toEqual([{ id: 1n, size: 5n, secret: 99n }]);
    expect(await books.delete(id, { delete_mark: 8n })).toBe(false);
    expect(await deletes.delete(1n, { mark: 7n })).toBe(true);
    expect(await books.find(id)).toEqual({ id, ...book });
  });

  it('are read, written and copied when their columns have the names of parts of a statement', async () => {
    await stock.dataSource.query(TAKEN);
    dataSource = await reopen(stock, [TakenEntity]);
    const table = openTable(dataSource, TakenEntity);
    const row = { position: 7, before: 'b', last: 5, row: 'r', first: 3 };
    const id = await table.insert(row);
    await expect(table.update(id, { position: 8, last: 6 }, { position: 7, row: 'r' })).resolves.toBe(true);
    const changed = { id, ...row, position: 8, last: 6 };
    expect(await table.page({ where: { position: 8, first: 3 }, limit: 9 })).toEqual([changed]);
    const bulk = await BulkDatabase.of(await reopen(stock, [TakenEntity]), 'the source');
    const copied = bulk.tables.find(({ name }) => name === 'taken');
    const pages = [await copied?.page(undefined, 9), await copied?.page(0n, 9), await copied?.page(id, 9)];
    await bulk.close();
    expect(pages).toEqual([[Object.values(changed)], [Object.values(changed)], []]);
    expect(await table.delete(id, { last: 6 })).toBe(true);
  });

  it('have statements and tokens of their own when two classes have the same name', async () => {
    const [Named, Priced] = [namedToys(), pricedToys()];
    const id = await stock.toys.insert({ name: '77', price: 5n });
    dataSource = await reopen(stock, [Named, Priced]);
    expect(await openTable(dataSource, Named).find(id)).toEqual({ id, name: '77' });
    expect(await openTable(dataSource, Priced).find(id)).toEqual({ id, price: 5n });
    expect(tableToken(Named)).not.toBe(tableToken(Priced));
    expect([tableToken(Named), tableToken(BookEntity)]).toEqual([tableToken(Named), 'KeysetTable<BookEntity>']);
  });
});
