import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Entity, PrimaryColumn } from 'typeorm';
import { BulkDatabase } from '../../../src/platform/copy/bulk-database.js';
import { copyDatabase } from '../../../src/platform/copy/copy-database.js';
import { openStock, reopen, type Stock } from '../../database/support/stock.js';

@Entity('keyed', { withoutRowid: true })
class KeyedByDate {
  @PrimaryColumn({ type: Date, precision: 3 })
  key: Date;
}

@Entity('keyed', { withoutRowid: true })
class KeyedByBoolean {
  @PrimaryColumn({ type: 'boolean' })
  key: boolean;
}

@Entity('keyed', { withoutRowid: true })
class KeyedByInteger {
  @PrimaryColumn({ type: 'integer' })
  key: number;
}

@Entity('keyed', { withoutRowid: true })
class KeyedByDouble {
  @PrimaryColumn({ type: 'double precision' })
  key: number;
}

@Entity('keyed', { withoutRowid: true })
class KeyedByDecimal {
  @PrimaryColumn({ type: 'numeric', precision: 10, scale: 2 })
  key: string;
}

@Entity('keyed', { withoutRowid: true })
class KeyedByText {
  @PrimaryColumn({ type: 'text' })
  key: string;
}

const DAY = { post: 'timestamp(3)', lite: 'datetime(3)' };

/** The keys in the order of their column, as SQL. */
const KEYS: readonly [string, Type<object>, { post: string; lite: string } | string, readonly string[]][] = [
  ['Date', KeyedByDate, DAY, [`'0001-01-01 00:00:00.000'`, `'2026-11-26 09:30:00.007'`, `'9999-12-31 23:59:59.999'`]],
  ['boolean', KeyedByBoolean, 'boolean', ['false', 'true']],
  ['integer', KeyedByInteger, 'integer', ['-7', '0', '2147483647']],
  ['double', KeyedByDouble, 'double precision', ['-0.5', '1e-300', '1e300']],
  ['decimal', KeyedByDecimal, 'numeric(10,2)', ['-9.90', '0.00', '9.90', '10.00']],
  ['text', KeyedByText, 'text', [`'B'`, `'a'`, `'ä'`, `'🐈'`]],
];

const open: Stock[] = [];

afterEach(() => Promise.all(open.splice(0).map((stock) => stock.close())));

describe.each([
  ['an SQLite file', 'sqlite', 'PostgreSQL', 'postgres'],
  ['PostgreSQL', 'postgres', 'an SQLite file', 'sqlite'],
  ['an SQLite file', 'sqlite', 'another', 'sqlite'],
  ['PostgreSQL', 'postgres', 'another', 'postgres'],
] as const)('a copy from %s', (_from, fromEngine, toName, toEngine) => {
  let source: Stock;
  let target: Stock;

  beforeEach(async () => {
    source = await openStock({ engine: fromEngine });
    target = await openStock({ engine: toEngine });
    open.push(source, target);
  });

  it.each(KEYS)(`to ${toName} has each row of a table whose primary key is a %s`, async (_name, entity, type, keys) => {
    for (const [{ dataSource }, engine] of [
      [source, fromEngine],
      [target, toEngine],
    ] as const) {
      const typeName = typeof type === 'string' ? type : engine === 'postgres' ? type.post : type.lite;
      const options = engine === 'sqlite' ? ' WITHOUT ROWID' : '';
      await dataSource.query(`CREATE TABLE "keyed" ("key" ${typeName} NOT NULL PRIMARY KEY)${options}`);
    }
    await source.dataSource.query(`INSERT INTO "keyed" VALUES ${keys.map((key) => `(${key})`).join(', ')}`);
    const from = await BulkDatabase.of(await reopen(source, [entity], { copyFrom: 'another' }), 'the source');
    const to = await BulkDatabase.of(await reopen(target, [entity], { copyFrom: 'the source' }), 'the target');
    try {
      const { tables } = await copyDatabase(from, to);
      expect(tables).toContainEqual({ name: 'keyed', rows: keys.length, checksum: expect.any(String) });
      const table = (database: BulkDatabase) => database.tables.find(({ name }) => name === 'keyed')!; // an entity has it
      const page = await table(to).page(undefined, 10);
      expect(page).toEqual(await table(from).page(undefined, 10));
      // One row after another.
      for (const [index, [key]] of page.entries()) {
        expect(await table(to).page(key, 10)).toEqual(page.slice(index + 1));
        expect(await table(from).page(key, 1)).toEqual(page.slice(index + 1, index + 2));
      }
    } finally {
      await from.close();
      await to.close();
    }
  });
});
