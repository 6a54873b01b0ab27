import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Database } from '../../src/platform/database/database.js';
import { openTable } from '../../src/platform/database/open-table.js';
import type { KeysetTable } from '../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { databaseOf, openStock, reopen, type Stock } from './support/stock.js';

@Entity('boxes')
class BoxEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;

  @ForeignKey(() => BoxEntity, { onDelete: 'CASCADE' })
  @Column({ ...INT64, nullable: true })
  outerId: bigint | null;
}

/** It has no id of its own. */
@Entity('labels')
class LabelEntity {
  @ForeignKey(() => BoxEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn(INT64)
  boxId: bigint;
}

@Entity('notes')
class NoteEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => LabelEntity, { onDelete: 'CASCADE' })
  @Column(INT64)
  labelId: bigint;
}

const REFERENCE = (table: string, column: string): string =>
  `bigint NOT NULL REFERENCES "${table}" ("${column}") ON DELETE CASCADE`;

const TABLES = [
  `CREATE TABLE "boxes" ("id" bigint NOT NULL PRIMARY KEY, "name" text NOT NULL,
    "outerId" bigint REFERENCES "boxes" ("id") ON DELETE CASCADE)`,
  `CREATE TABLE "labels" ("boxId" ${REFERENCE('boxes', 'id')} PRIMARY KEY)`,
  `CREATE TABLE "notes" ("id" bigint NOT NULL PRIMARY KEY, "labelId" ${REFERENCE('labels', 'boxId')})`,
];

let stock: Stock;
let dataSource: DataSource;
let database: Database;
let boxes: KeysetTable<BoxEntity>;
let notes: KeysetTable<NoteEntity>;

beforeEach(async () => {
  stock = await openStock();
  for (const table of TABLES) await stock.dataSource.query(table);
  dataSource = await reopen(stock, [BoxEntity, LabelEntity, NoteEntity]);
  database = await databaseOf(dataSource, 0);
  [boxes, notes] = [openTable(dataSource, BoxEntity), openTable(dataSource, NoteEntity)];
});

afterEach(async () => {
  database.onApplicationShutdown();
  await dataSource.destroy();
  await stock.close();
});

describe.each<[string, (id: bigint) => Promise<boolean>]>([
  ['by one statement', (id) => boxes.delete(id)],
  ['in a transaction', (id) => database.transaction((transaction) => transaction.table(BoxEntity).delete(id))],
])('a row that is deleted with another one %s', (_, remove) => {
  it('does not leave its id to a later row, even if it was inserted by hand', async () => {
    const box = await boxes.insert({ name: 'Box' });
    await stock.dataSource.query(`INSERT INTO "labels" ("boxId") VALUES (${box})`);
    await stock.dataSource.query(`INSERT INTO "notes" ("id", "labelId") VALUES (1, ${box}), (2, ${box})`);
    await stock.dataSource.query(`INSERT INTO "boxes" ("id", "name", "outerId") VALUES (3, 'Inner', ${box})`);
    expect(await remove(box)).toBe(true);
    expect(await stock.dataSource.query('SELECT * FROM "notes"')).toEqual([]);

    const others = [];
    for (const name of ['A', 'B', 'C']) others.push(await boxes.insert({ name }));
    expect(others).not.toContain(3n);
    await stock.dataSource.query(`INSERT INTO "labels" ("boxId") VALUES (${others[0]})`);
    const ids = [await notes.insert({ labelId: others[0]! }), await notes.insert({ labelId: others[0]! })];
    for (const used of [1n, 2n]) expect(ids).not.toContain(used);
  });
});

it('the id of a deleted row that was inserted by hand is never used again in a table without creations', async () => {
  await stock.dataSource.query(`INSERT INTO "boxes" ("id", "name") VALUES (1, 'Hand')`);
  expect(await boxes.delete(1n)).toBe(true);
  expect(await boxes.insert({ name: 'Box' })).not.toBe(1n);
});
