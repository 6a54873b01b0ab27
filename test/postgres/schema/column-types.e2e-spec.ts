import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartError } from '../../../src/platform/process/start-error.js';
import { openStock, reopen, type Stock } from '../../database/support/stock.js';

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

const ROWS: [string, string, string, string][] = [
  ['amount', 'TYPE numeric(12,4)', 'numeric(12,4)', 'numeric(10,2)'],
  ['amount', 'TYPE numeric', 'numeric', 'numeric(10,2)'],
  ['time', 'TYPE timestamp(0)', 'timestamp(0) without time zone', 'timestamp(3) without time zone'],
  ['time', 'TYPE timestamp', 'timestamp without time zone', 'timestamp(3) without time zone'],
  ['time', 'TYPE timestamptz(3)', 'timestamp(3) with time zone', 'timestamp(3) without time zone'],
  ['double', 'TYPE real', 'real', 'double precision'],
  ['text', 'TYPE char(8)', 'character(8)', 'text'],
  ['text', 'TYPE varchar(8)', 'character varying(8)', 'text'],
  ['short', 'TYPE text', 'text', 'character varying(5)'],
  ['big', 'TYPE integer', 'integer', 'bigint'],
  ['text', 'SET NOT NULL', 'text not null', 'text'],
];

describe('a start on PostgreSQL', () => {
  it.each(ROWS)('is refused after ALTER COLUMN "%s" %s: it is %s, not %s', async (column, change, actual, declared) => {
    await stock.dataSource.query(`ALTER TABLE "samples" ALTER COLUMN "${column}" ${change}`);
    const start = reopen(stock, []);
    await expect(start).rejects.toBeInstanceOf(StartError);
    await expect(start).rejects.toThrow(
      `SampleEntity.${column} is ${declared}, but ${actual} in the database; change one of them: the column by a migration that src/data-source.ts names.`,
    );
  });

  it('is refused when a column may be null that an entity requires', async () => {
    await stock.dataSource.query(`ALTER TABLE "toys" ALTER COLUMN "name" DROP NOT NULL`);
    await expect(reopen(stock, [])).rejects.toThrow('ToyEntity.name is text not null, but text in the database;');
  });

  it('accepts text as varchar without a limit, which is the same', async () => {
    await stock.dataSource.query(`ALTER TABLE "samples" ALTER COLUMN "text" TYPE varchar`);
    const dataSource = await reopen(stock, []);
    expect(dataSource.isInitialized).toBe(true);
    await dataSource.destroy();
  });
});
