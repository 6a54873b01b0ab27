import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../../src/platform/database/database.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable, Row } from '../../../src/platform/database/tables/keyset-table.js';
import { type ListOrdersQuery, type NewOrder, type OrderChange, OrderState } from './orders.dto.js';
import { NotFound, OrderConflict } from './orders.errors.js';
import { OrderEntity, ParcelEntity, StockEntity } from './shop.entities.js';

type Order = Row<OrderEntity>;
type Parcel = Row<ParcelEntity>;

@Injectable()
export class OrdersService {
  constructor(
    private readonly database: Database,
    @InjectTable(OrderEntity) private readonly orders: KeysetTable<OrderEntity>,
    @InjectTable(ParcelEntity) private readonly parcels: KeysetTable<ParcelEntity>,
  ) {}

  list({ state, from, limit }: ListOrdersQuery): Promise<Order[]> {
    return this.orders.page({ where: { state }, limit, ...(from !== undefined && { from }) });
  }

  async create({ token, stockId }: NewOrder): Promise<Order> {
    const order = { token, stockId, version: 0n, note: '', state: OrderState.open };
    return { id: await this.orders.insert(order), ...order };
  }

  async get(id: bigint): Promise<Order> {
    const order = await this.orders.find(id);
    if (!order) throw new NotFound(id);
    return order;
  }

  async change(id: bigint, { version, note }: OrderChange): Promise<void> {
    const changes = { version: version + 1n, note };
    if (!(await this.orders.update(id, changes, { version, state: OrderState.open }))) await this.#refuse(id);
  }

  async delete(id: bigint): Promise<void> {
    if (!(await this.orders.delete(id, { state: OrderState.open }))) await this.#refuse(id);
  }

  /** Reads and changes rows of two tables, and adds one to a third. Waits, so that others interfere or it is killed. */
  ship(id: bigint, wait: number): Promise<Parcel> {
    return this.database.transaction(async (transaction) => {
      const [orders, stocks] = [transaction.table(OrderEntity), transaction.table(StockEntity)];
      const order = await orders.find(id);
      if (!order) throw new NotFound(id);
      if (order.state !== OrderState.open) throw new OrderConflict(id);
      // The foreign key.
      const { count } = (await stocks.find(order.stockId))!;
      await orders.update(id, { state: OrderState.shipped });
      await stocks.update(order.stockId, { count: count - 1n });
      if (wait > 0) await delay(wait);
      return { id: await transaction.table(ParcelEntity).insert({ orderId: id }), orderId: id };
    });
  }

  async parcel(id: bigint): Promise<Parcel> {
    const parcel = await this.parcels.find(id);
    if (!parcel) throw new NotFound(id);
    return parcel;
  }

  async #refuse(id: bigint): Promise<never> {
    await this.get(id);
    throw new OrderConflict(id);
  }
}
