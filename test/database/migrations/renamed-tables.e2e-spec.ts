import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, TableColumn } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { AppendOnly } from '../../../src/platform/database/tables/columns/append-only.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

abstract class Numbered {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', nullable: true })
  note: string | null;
}

@Entity('olds', { withoutRowid: true })
class OldEntity extends Numbered {}

@AppendOnly()
@Entity('olds', { withoutRowid: true })
class OldEventEntity extends Numbered {}

@Entity('news', { withoutRowid: true })
class NewEntity extends Numbered {}

const database = new MigratedDatabase();

async function open(entity: Type<Numbered>, steps: readonly Up[]): Promise<KeysetTable<Numbered>> {
  const migrations = steps.map((up, index) => stepOf(index, up));
  return openTable(await database.open([entity], migrations), entity);
}

const END = ENGINE === 'sqlite' ? ' WITHOUT ROWID' : '';
const run =
  (...texts: string[]): Up =>
  async (runner) => {
    for (const text of texts) await runner.query(text);
  };
const createText = (name: string) => `CREATE TABLE "${name}" ("id" bigint NOT NULL PRIMARY KEY, "note" text)${END}`;
const create = run(createText('olds'));
const rename: Up = (runner) => runner.renameTable('olds', 'news');

const WAYS: readonly (readonly [string, readonly Up[]])[] = [
  ['by its method', [rename]],
  ['by a statement', [run('ALTER TABLE "olds" RENAME TO "news"')]],
  ['twice', [run('ALTER TABLE "olds" RENAME TO "others"'), run('ALTER TABLE "others" RENAME TO "news"')]],
  [
    'with a column that is added',
    [
      async (runner) => {
        await rename(runner);
        await runner.addColumn('news', new TableColumn({ name: 'more', type: 'text', isNullable: true }));
      },
    ],
  ],
  ['by a copy', [run(createText('news'), 'INSERT INTO "news" SELECT * FROM "olds"', 'DROP TABLE "olds"')]],
];

describe('a table that a migration renames', () => {
  it.each(WAYS)('gives no id of a deleted row again: %s', async (_, steps) => {
    const olds = await open(OldEntity, [create]);
    for (let id = 1n; id <= 4n; id += 1n) expect(await olds.insert({})).toBe(id);
    await olds.delete(4n);
    await olds.delete(3n);
    const news = await open(NewEntity, [create, ...steps]);
    expect((await news.page({ where: {}, limit: 9 })).map(({ id }) => id)).toEqual([1n, 2n]);
    expect(await news.insert({})).toBe(5n);
  });

  it('gives no id of a deleted row again when all are deleted', async () => {
    const olds = await open(OldEntity, [create]);
    await olds.delete(await olds.insert({}));
    expect(await (await open(NewEntity, [create, rename])).insert({})).toBe(2n);
  });

  it('gives no id again of a row that the migration deletes from an append-only table', async () => {
    const olds = await open(OldEventEntity, [create]);
    for (let id = 1n; id <= 2n; id += 1n) expect(await olds.insert({})).toBe(id);
    const empty: Up = async (runner) => {
      await runner.query('DELETE FROM "olds"');
      await rename(runner);
    };
    expect(await (await open(NewEntity, [create, empty])).insert({})).toBe(3n);
  });
});

describe('a table that a migration creates', () => {
  it('begins with the id 1 beside tables that remain', async () => {
    const olds = await open(OldEntity, [create]);
    for (let id = 1n; id <= 4n; id += 1n) expect(await olds.insert({})).toBe(id);
    expect(await (await open(NewEntity, [create, run(createText('news'))])).insert({})).toBe(1n);
  });

  it('begins with the id 1 when an earlier migration has dropped a table', async () => {
    const olds = await open(OldEntity, [create]);
    for (let id = 1n; id <= 4n; id += 1n) expect(await olds.insert({})).toBe(id);
    const news = await open(NewEntity, [create, run('DROP TABLE "olds"'), run(createText('news'))]);
    expect(await news.insert({})).toBe(1n);
  });

  it('continues after its last id when it was dropped before', async () => {
    const olds = await open(OldEntity, [create]);
    for (let id = 1n; id <= 4n; id += 1n) expect(await olds.insert({})).toBe(id);
    const again = await open(OldEntity, [create, run('DROP TABLE "olds"', createText('olds'))]);
    expect(await again.insert({})).toBe(5n);
  });
});
