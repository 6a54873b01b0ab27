import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ENGINE } from '../../support/databases/databases.js';
import { openStock, type Stock, ToyEntity } from '../support/stock.js';

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

/** Runs a statement before each row of toys that has this name; `result` is the row that PostgreSQL stores instead. */
async function before(name: string, statement: string, result: 'NEW' | 'NULL'): Promise<void> {
  const { dataSource } = stock;
  if (ENGINE === 'sqlite') {
    await dataSource.query(
      `CREATE TRIGGER "watch" BEFORE INSERT ON "toys" WHEN NEW."name" = '${name}' BEGIN ${statement}; END`,
    );
    return;
  }
  await dataSource.query(
    `CREATE FUNCTION "watch"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN ${result}; END $$`,
  );
  await dataSource.query(
    `CREATE TRIGGER "watch" BEFORE INSERT ON "toys" FOR EACH ROW WHEN (NEW."name" = '${name}') EXECUTE FUNCTION "watch"()`,
  );
}

const dropping = (name: string) => before(name, ENGINE === 'sqlite' ? 'SELECT RAISE(IGNORE)' : 'NULL', 'NULL');

const toy = (name: string) => ({ name, price: 1n });
const names = async () => (await stock.toys.page({ where: {}, limit: 100 })).map(({ name }) => name);

const MESSAGE = 'A trigger of the table "toys" has dropped a row; let it raise an error, or drop it by a migration';

describe('an insert of a row that a trigger drops', () => {
  it('fails', async () => {
    await dropping('Ghost');
    await expect(stock.toys.insert(toy('Ghost'))).rejects.toThrow(MESSAGE);
    expect(await names()).toEqual([]);
  });

  it('fails alone: all rows beside it are stored, however many there are', async () => {
    await dropping('Ghost');
    const all = Array.from({ length: 16 }, (_, index) => (index === 3 ? 'Ghost' : `Toy ${index}`));
    const results = await Promise.allSettled(all.map((name) => stock.toys.insert(toy(name))));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(all.map((name) => name !== 'Ghost'));
    const stored = results.flatMap((result, index) =>
      result.status === 'fulfilled' ? [{ id: result.value, name: all[index] }] : [],
    );
    expect(await stock.toys.page({ where: {}, limit: 100 })).toMatchObject(stored);
  });

  it('ends its transaction, even if the work catches the error', async () => {
    await dropping('Ghost');
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      await toys.insert(toy('Ball'));
      await toys.insert(toy('Ghost')).catch(() => undefined);
    });
    await expect(work).rejects.toThrow(MESSAGE);
    expect(await names()).toEqual([]);
  });
});

describe('an insert of a row for which a trigger stores another one', () => {
  it('stores both', async () => {
    await before('Ball', `INSERT INTO "sightings" ("id", "place") VALUES (1, 'shop')`, 'NEW');
    expect(await stock.toys.insert(toy('Ball'))).toBe(1n);
    expect(await names()).toEqual(['Ball']);
    expect(await stock.sightings.find(1n)).toMatchObject({ place: 'shop' });
  });
});
