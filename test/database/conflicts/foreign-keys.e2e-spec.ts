import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Database } from '../../../src/platform/database/database.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import { ForeignKeyConflict } from '../../../src/platform/database/tables/conflicts.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { databaseOf, openStock, reopen, type Stock } from '../support/stock.js';

@Entity('customers')
class CustomerEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', unique: true, name: 'customer_code' })
  code: string;
}

@Entity('animals')
class AnimalEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

/** The foreign keys in their order: animalId, customer, copyOf. The table has them in the opposite order. */
@Entity('purchases')
class PurchaseEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => AnimalEntity)
  @Column({ ...INT64, name: 'animal_id' })
  animalId: bigint;

  @ForeignKey(() => CustomerEntity, 'code')
  @Column({ type: 'text', nullable: true })
  customer: string | null;

  @ForeignKey(() => PurchaseEntity)
  @Column({ ...INT64, nullable: true, name: 'copy_of' })
  copyOf: bigint | null;
}

@Entity('purchase_lines')
class LineEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => PurchaseEntity, { onDelete: 'CASCADE' })
  @Column(INT64)
  purchaseId: bigint;
}

@Entity('complaints')
class ComplaintEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => LineEntity, { onDelete: 'RESTRICT' })
  @Column({ ...INT64, name: 'line' })
  lineId: bigint;
}

const ID = '"id" bigint NOT NULL PRIMARY KEY';
const CREATED = [
  `CREATE TABLE "customers" (${ID}, "customer_code" text NOT NULL UNIQUE)`,
  `CREATE TABLE "animals" (${ID})`,
  `CREATE TABLE "purchases" (${ID}, "copy_of" bigint REFERENCES "purchases" ("id"),
     "customer" text REFERENCES "customers" ("customer_code"), "animal_id" bigint NOT NULL REFERENCES "animals" ("id"))`,
  `CREATE TABLE "purchase_lines" (${ID}, "purchaseId" bigint NOT NULL REFERENCES "purchases" ("id") ON DELETE CASCADE)`,
  `CREATE TABLE "complaints" (${ID}, "line" bigint NOT NULL CONSTRAINT "of_line" REFERENCES "purchase_lines" ("id") ON DELETE RESTRICT)`,
];
const ROWS = [
  `INSERT INTO "customers" VALUES (1, 'a'), (2, 'b'), (3, 'c')`,
  `INSERT INTO "animals" VALUES (1), (2)`,
  `INSERT INTO "purchases" ("id", "animal_id", "customer", "copy_of") VALUES (1, 1, 'a', NULL), (2, 1, NULL, 1), (3, 1, 'b', 3), (4, 1, NULL, NULL)`,
  `INSERT INTO "purchase_lines" VALUES (1, 3), (2, 4)`,
  `INSERT INTO "complaints" VALUES (1, 1)`,
];

const ENTITIES = [CustomerEntity, AnimalEntity, PurchaseEntity, LineEntity, ComplaintEntity];

interface Tables {
  readonly customers: KeysetTable<CustomerEntity>;
  readonly animals: KeysetTable<AnimalEntity>;
  readonly purchases: KeysetTable<PurchaseEntity>;
}

let stock: Stock;
let dataSource: DataSource;
let database: Database;

beforeEach(async () => {
  stock = await openStock();
  for (const statement of [...CREATED, ...ROWS]) await stock.dataSource.query(statement);
  dataSource = await reopen(stock, ENTITIES);
  database = await databaseOf(dataSource, 0);
});

afterEach(async () => {
  database.onApplicationShutdown();
  await dataSource.destroy();
  await stock.close();
});

const alone = (work: (tables: Tables) => Promise<unknown>) =>
  work({
    customers: openTable<CustomerEntity>(dataSource, CustomerEntity),
    animals: openTable<AnimalEntity>(dataSource, AnimalEntity),
    purchases: openTable<PurchaseEntity>(dataSource, PurchaseEntity),
  });

const inTransaction = (work: (tables: Tables) => Promise<unknown>) =>
  database.transaction((transaction) =>
    work({
      customers: transaction.table(CustomerEntity),
      animals: transaction.table(AnimalEntity),
      purchases: transaction.table(PurchaseEntity),
    }),
  );

const REMEDY = 'catch this conflict, and throw a DomainError whose status openapi.yaml declares';

type Conflicting = [string, (tables: Tables) => Promise<unknown>, string, string];

const CONFLICTS: Conflicting[] = [
  ['an insert', ({ purchases }) => purchases.insert({ animalId: 9n, customer: 'a' }), 'purchases', 'animalId'],
  ['an insert of text', ({ purchases }) => purchases.insert({ animalId: 1n, customer: 'x' }), 'purchases', 'customer'],
  ['an insert of its own', ({ purchases }) => purchases.insert({ animalId: 1n, copyOf: 9n }), 'purchases', 'copyOf'],
  ['an update', ({ purchases }) => purchases.update(1n, { animalId: 9n, copyOf: 2n }), 'purchases', 'animalId'],
  ['an update of text', ({ purchases }) => purchases.update(2n, { customer: 'x' }), 'purchases', 'customer'],
  ['a deletion', ({ animals }) => animals.delete(1n), 'purchases', 'animalId'],
  ['a deletion of a row with a code', ({ customers }) => customers.delete(2n), 'purchases', 'customer'],
  ['a deletion in its table', ({ purchases }) => purchases.delete(1n), 'purchases', 'copyOf'],
  ['a deletion with other rows', ({ purchases }) => purchases.delete(3n), 'complaints', 'lineId'],
  ['a change of a code', ({ customers }) => customers.update(1n, { code: 'x' }), 'purchases', 'customer'],
];

describe.each([
  ['a table', alone],
  ['a table of a transaction', inTransaction],
])('a conflict of foreign keys in %s', (_, within) => {
  it.each(CONFLICTS)('names the table and the properties for %s', async (__, work, table, column) => {
    const outcome = await within(work).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(ForeignKeyConflict);
    expect(outcome).toMatchObject({
      table,
      columns: [column],
      message: `The foreign key ${column} of "${table}" would refer to no row; ${REMEDY}`,
    });
  });

  it('concerns no change that the foreign keys permit', async () => {
    await within(async ({ customers, animals, purchases }) => {
      expect(await purchases.insert({ animalId: 1n, customer: 'a', copyOf: 1n })).toBe(5n);
      expect(await purchases.update(5n, { animalId: 2n, customer: null, copyOf: 5n })).toBe(true);
      expect(await purchases.delete(5n)).toBe(true);
      expect(await purchases.delete(4n)).toBe(true);
      expect(await customers.update(1n, { code: 'a' })).toBe(true);
      expect(await customers.update(3n, { code: 'x' })).toBe(true);
      expect(await customers.delete(3n)).toBe(true);
      expect(await animals.delete(2n)).toBe(true);
    });
  });
});

it('a conflict of several foreign keys names the first one in the order of the columns', async () => {
  const inserting = alone(({ purchases }) => purchases.insert({ animalId: 9n, customer: 'x', copyOf: 9n }));
  await expect(inserting).rejects.toMatchObject({ table: 'purchases', columns: ['animalId'] });
  const updating = alone(({ purchases }) => purchases.update(1n, { customer: 'x', copyOf: 9n }));
  await expect(updating).rejects.toMatchObject({ table: 'purchases', columns: ['customer'] });
});

it('a conflict of foreign keys takes the rows of its own transaction into account', async () => {
  const work = inTransaction(async ({ animals, customers, purchases }) => {
    const animalId = await animals.insert({});
    await customers.insert({ code: 'new' });
    await purchases.insert({ animalId, customer: 'new' });
    await purchases.insert({ animalId, customer: 'x' });
  });
  await expect(work).rejects.toMatchObject({ table: 'purchases', columns: ['customer'] });
});

it('a conflict of foreign keys of each of many rows names that of its own', async () => {
  // Of no row: several inserts at once may skip a few ids.
  const copyOf = 900n;
  const rows = [{ animalId: 9n }, { animalId: 1n }, { animalId: 1n, customer: 'x' }, { animalId: 2n, copyOf }];
  const outcomes = await Promise.allSettled(
    rows.map((row) => openTable<PurchaseEntity>(dataSource, PurchaseEntity).insert(row)),
  );
  const columns = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.columns : 'stored'));
  expect(columns).toEqual([['animalId'], 'stored', ['customer'], ['copyOf']]);
});

it('a conflict with a foreign key that no entity declares names nothing', async () => {
  await stock.dataSource.query(`CREATE TABLE "others" (${ID} REFERENCES "animals" ("id"))`);
  await stock.dataSource.query('INSERT INTO "others" VALUES (2)');
  for (const within of [alone, inTransaction]) {
    const deleting = within(({ animals }) => animals.delete(2n));
    await expect(deleting).rejects.toMatchObject({
      table: undefined,
      columns: undefined,
      message: `A foreign key would refer to no row; ${REMEDY}`,
    });
  }
});

it('a conflict of foreign keys inside of its transaction names them on SQLite', async () => {
  let caught: unknown;
  const work = inTransaction(async ({ purchases }) => {
    await purchases.insert({ animalId: 9n }).catch((error: unknown) => (caught = error));
  });
  await expect(work).rejects.toMatchObject({ columns: ['animalId'] });
  expect(caught).toMatchObject({ columns: ENGINE === 'sqlite' ? ['animalId'] : undefined });
});
