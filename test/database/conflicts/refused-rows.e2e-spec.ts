import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Check, Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { createDatabase } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { databaseOf } from '../support/stock.js';

@Entity('orders')
@Check('"price" > 0')
class OrderEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', name: 'note_text' })
  note: string;

  @Column({ type: 'varchar', length: 5 })
  code: string;

  @Column(INT64)
  price: bigint;
}

let dataSource: DataSource;
let orders: KeysetTable<OrderEntity>;
let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const created = await createDatabase();
  drop = () => created.drop();
  const options = await dataSourceOptions(patientConfig(created.url));
  dataSource = new DataSource({ ...options, entities: [OrderEntity, SequenceEntity] });
  await dataSource.initialize();
  await dataSource.synchronize();
  orders = openTable(dataSource, OrderEntity);
  database = await databaseOf(dataSource, 0);
});

afterAll(async () => {
  database.onApplicationShutdown();
  await dataSource.destroy();
  await drop();
});

const ORDER = { note: 'none', code: 'A', price: 1n };

describe('a row that breaks a rule of its table', () => {
  it.each<[string, object, string]>([
    [
      'null',
      // As a cast of the code may let it through.
      { note: null },
      'OrderEntity.note must not be null; set it, or require its member in openapi.yaml, or declare it nullable in the entity and its migration',
    ],
    [
      'a check',
      { price: 0n },
      'A row breaks the check ("price" > 0) of OrderEntity; refuse such values in openapi.yaml or the service first, or change the check in the entity and its migration',
    ],
    [
      'a length',
      { code: 'longer' },
      'OrderEntity.code must have at most 5 characters; give its member a maxLength in openapi.yaml, or the column a greater length in the entity and a migration',
    ],
  ])('fails with entity, property and what to do on both engines: %s', async (_, broken, message) => {
    const id = await orders.insert(ORDER);
    const row = { ...ORDER, ...broken };
    await expect(orders.insert(row)).rejects.toThrow(message);
    await expect(orders.update(id, broken)).rejects.toThrow(message);
    const many = await Promise.allSettled([ORDER, row, ORDER, ORDER].map((one) => orders.insert(one)));
    expect(many.map((result) => (result.status === 'rejected' ? (result.reason as Error).message : ''))).toEqual([
      '',
      message,
      '',
      '',
    ]);
    const work = database.transaction((transaction) => transaction.table(OrderEntity).insert(row));
    await expect(work).rejects.toThrow(message);
    expect(await orders.find(id)).toStrictEqual({ id, ...ORDER });
  });
});
