import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, Index, PrimaryColumn } from 'typeorm';
import { BulkDatabase } from '../../src/platform/copy/bulk-database.js';
import { openTable } from '../../src/platform/database/open-table.js';
import { requiredTables } from '../../src/platform/database/tables/capabilities.js';
import { describeTable } from '../../src/platform/database/tables/columns/table-columns.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { databaseOf, openStock, reopen, SightingEntity, type Stock, ToyEntity } from './support/stock.js';

/** What another feature needs of sightings, which are @AppendOnly() to the first one: it may remove them. */
@Entity('sightings', { synchronize: false })
class MistakeEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('toys', { synchronize: false })
class PricedEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  price: bigint;
}

@Entity('toys')
class WholeTwiceEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('toys', { synchronize: false })
@Index('toys_by_name', ['name'])
class IndexedEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;
}

@Entity('toys', { synchronize: false })
class NullableEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ ...INT64, nullable: true })
  price: bigint | null;
}

@Entity('toys', { synchronize: false })
class ColouredEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  colour: string;
}

let stock: Stock;
let opened: DataSource[];

beforeEach(async () => {
  stock = await openStock();
  opened = [];
});

afterEach(async () => {
  for (const dataSource of opened) if (dataSource.isInitialized) await dataSource.destroy();
  await stock.close();
});

async function openWith(...others: readonly Type<object>[]): Promise<DataSource> {
  const dataSource = await reopen(stock, others);
  opened.push(dataSource);
  return dataSource;
}

describe('entities of the same table', () => {
  it('read and change the same rows, each with its own columns', async () => {
    const dataSource = await openWith(PricedEntity);
    const id = await openTable(dataSource, ToyEntity).insert({ name: 'Ball', price: 1n });
    const database = await databaseOf(dataSource, 0);
    const seen = await database.transaction(async (transaction) => {
      const [toys, priced] = [transaction.table(ToyEntity), transaction.table(PricedEntity)];
      await priced.update(id, { price: 2n });
      const pages = [await toys.page({ where: {}, limit: 1 }), await priced.page({ where: {}, limit: 1 })];
      const ordered = await priced.page({ where: {}, limit: 1, orderBy: { column: 'price' } });
      return [await toys.find(id), await priced.find(id), ...pages.flat(), ...ordered];
    });
    database.onApplicationShutdown();
    const [toy, priced] = [
      { id, name: 'Ball', price: 2n },
      { id, price: 2n },
    ];
    expect(seen).toEqual([toy, priced, toy, priced, priced]);
  });

  it('are append-only only if each of them is declared so', async () => {
    const dataSource = await openWith(MistakeEntity);
    const [before, after] = [stock.dataSource, dataSource].map((each) => ({
      isAppendOnly: describeTable(each, SightingEntity).isAppendOnly,
      isChanged: requiredTables(each).changed.includes('sightings'),
    }));
    expect([before, after]).toEqual([
      { isAppendOnly: true, isChanged: false },
      { isAppendOnly: false, isChanged: true },
    ]);
    const bulk = await BulkDatabase.of(dataSource, 'the source');
    const copied = bulk.tables.map(({ name, growsAtEnd }) => `${name} ${growsAtEnd}`);
    await bulk.close();
    expect(copied).toEqual(['samples false', 'shelves false', 'sightings false', 'toys false']);
  });

  it('change rows only where they are not @AppendOnly() themselves', async () => {
    const dataSource = await openWith(MistakeEntity);
    const [sightings, mistakes] = [openTable(dataSource, SightingEntity), openTable(dataSource, MistakeEntity)];
    const id = await sightings.insert({ place: 'Bern' });
    await expect(sightings.delete(id)).rejects.toThrow('Rows of "sightings" never change');
    expect(await mistakes.delete(id)).toBe(true);
    expect(await sightings.find(id)).toBeUndefined();
  });

  it('never use an id twice, while rows of an append-only table become removable and again', async () => {
    const insert = (dataSource: DataSource) => openTable(dataSource, SightingEntity).insert({ place: 'Bern' });
    const ids = [await insert(stock.dataSource), await insert(stock.dataSource)];
    for (let round = 0; round < 2; round += 1) {
      const removing = await openWith(MistakeEntity);
      await openTable(removing, MistakeEntity).delete(ids.at(-1)!);
      ids.push(await insert(removing), await insert(removing));
      await openTable(removing, MistakeEntity).delete(ids.at(-1)!);
      await removing.destroy();
      const appending = await openWith();
      ids.push(await insert(appending), await insert(appending));
      await appending.destroy();
    }
    expect(ids).toEqual(ids.map((_, index) => BigInt(index + 1)));
  });

  it.each<[string, Type<object>, string]>([
    [
      'two declare the whole table',
      WholeTwiceEntity,
      'ToyEntity and WholeTwiceEntity share the table "toys"; give all but the one with all of its columns "synchronize: false".',
    ],
    [
      'one that declares a part has an index',
      IndexedEntity,
      'IndexedEntity shares the table "toys"; declare its indexes and constraints in ToyEntity.',
    ],
    [
      'they declare a column differently',
      NullableEntity,
      'NullableEntity.price must be a column of ToyEntity, which shares the table "toys"; declare it there in the same way.',
    ],
    [
      'one that declares a part has a column of its own',
      ColouredEntity,
      'ColouredEntity.colour must be a column of ToyEntity, which shares the table "toys"; declare it there in the same way.',
    ],
  ])('stop the start when %s', async (_, entity, message) => {
    const start = openWith(entity);
    await expect(start).rejects.toBeInstanceOf(StartError);
    await expect(start).rejects.toThrow(message);
  });
});
