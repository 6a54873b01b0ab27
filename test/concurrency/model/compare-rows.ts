import { expect } from '@jest/globals';
import { createShopDataSource, STOCKED, STOCKS } from '../shop/shop-data-source.js';
import type { Ledger, SeenOrder } from './ledger.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** Compares what is stored with what clients know. No request may still be in progress. */
export async function compareRows(databaseUrl: string, ledger: Ledger): Promise<void> {
  const dataSource = await createShopDataSource(patientConfig(databaseUrl));
  await dataSource.initialize();
  /** All rows, with their integers as numbers. */
  const rowsOf = async <Row>(table: string): Promise<Row[]> => {
    const rows: Record<string, unknown>[] = await dataSource.query(`SELECT * FROM "${table}"`);
    const exact = (value: unknown): unknown =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return rows.map(
      (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exact(value)])) as Row,
    );
  };
  try {
    const orders = await rowsOf<SeenOrder>('shop_orders');
    const parcels = await rowsOf<{ id: number; orderId: number }>('shop_parcels');
    const stocks = await rowsOf<{ id: number; count: number }>('shop_stocks');
    compareOrders(orders, ledger);
    // Half of a shipment would be in one of these tables only.
    const shipped = orders.filter(({ state }) => state === 'shipped');
    expect(sorted(parcels.map(({ orderId }) => orderId))).toEqual(sorted(shipped.map(({ id }) => id)));
    const counts = Array.from({ length: STOCKS }, (_, index) => {
      const ofStock = shipped.filter(({ stockId }) => stockId === index + 1);
      return { id: index + 1, count: STOCKED - ofStock.length };
    });
    expect(stocks.toSorted((one, other) => one.id - other.id)).toEqual(counts);
    const orderOf = new Map(parcels.map(({ id, orderId }) => [id, orderId]));
    expect(ledger.parcels.filter(({ id, orderId }) => orderOf.get(id) !== orderId)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
}

/** Each order is as its clients last saw it, or as a request left it whose outcome they do not know. */
function compareOrders(orders: readonly SeenOrder[], ledger: Ledger): void {
  const now = ledger.now();
  const stored = new Set(orders.map((order) => ledger.see(order, now)));
  expect(stored.size).toBe(orders.length);
  for (const record of ledger.orders) {
    if (record.id !== undefined && !stored.has(record)) ledger.seeMissing(record);
  }
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}
