import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStock, type Stock } from '../../database/support/stock.js';
import { onServer } from '../../support/databases/databases.js';

const CONNECTIONS = 2;
const CHANGES = 100;

let stock: Stock;

beforeEach(async () => {
  stock = await openStock({ databasePoolSize: CONNECTIONS });
  await stock.shelves.insert({ label: 'A', count: 0n });
  await stock.shelves.insert({ label: 'B', count: 0n });
  await stock.toys.insert({ name: 'Car', price: 1n, shelfId: 1n });
  // Open them all.
  await Promise.all(Array.from({ length: 10 * CONNECTIONS }, () => stock.shelves.find(1n)));
});

afterEach(() => stock.close());

/** The processes of the server that serve the pool. */
async function backends(): Promise<number[]> {
  const rows = await onServer<{ pid: number }>(
    `SELECT "pid" FROM "pg_stat_activity" WHERE "datname" = $1 AND "backend_type" = 'client backend' ORDER BY "pid"`,
    [new URL(stock.url).pathname.slice(1)],
  );
  return rows.map(({ pid }) => pid);
}

/** The distinct errors; any other end is undefined. */
async function errorsOf(change: () => Promise<unknown>): Promise<unknown[]> {
  const ends = await Promise.allSettled(Array.from({ length: CHANGES }, change));
  return [...new Set(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : undefined)))];
}

const REMEDY = 'catch this conflict, and throw a DomainError whose status openapi.yaml declares';
const TAKEN = `UniqueConflict: Another row of "shelves" has the same label; ${REMEDY}`;
const BROKEN = `ForeignKeyConflict: The foreign key shelfId of "toys" would refer to no row; ${REMEDY}`;

describe('changes that other rows forbid, on PostgreSQL', () => {
  it.each([
    ['creations with a taken value', TAKEN, () => stock.shelves.insert({ label: 'A', count: 1n })],
    ['changes to a taken value', TAKEN, () => stock.shelves.update(2n, { label: 'A' })],
    ['creations that refer to nothing', BROKEN, () => stock.toys.insert({ name: 'Doll', price: 1n, shelfId: 9n })],
    ['deletions of what others refer to', BROKEN, () => stock.shelves.delete(1n)],
  ])('keep the connections of the pool: %s', async (_title, error, change) => {
    const before = await backends();
    expect(before).toHaveLength(CONNECTIONS);
    expect(await errorsOf(change)).toEqual([error]);
    expect(await backends()).toEqual(before);
  });
});
