import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { oneOf, range } from '../platform/database/tables/conditions.js';
import { ForeignKeyConflict } from '../platform/database/tables/conflicts.js';
import { InjectTable } from '../platform/database/tables/inject-table.decorator.js';
import type { KeysetTable, Row } from '../platform/database/tables/keyset-table.js';
import { mayBecome, OrderStatus } from './order-status.js';
import { OrderEntity } from './order.entity.js';
import { OrderConflict, OrderNotFound, PetSold, UnknownPet } from './order.errors.js';
import { OrderedPetEntity } from './ordered-pet.entity.js';
import type { ListOrdersQuery, NewOrder, Order, OrderChanges } from './orders.dto.js';

export interface OrdersPage {
  readonly orders: Order[];
  /** The id at which the next page starts; absent on the last page. */
  readonly next?: bigint;
}

@Injectable()
export class OrdersService {
  constructor(
    private readonly database: Database,
    @InjectTable(OrderEntity) private readonly orders: KeysetTable<OrderEntity>,
  ) {}

  /** In ascending order of id. */
  async list({ limit, status, deliverFrom, deliverBefore, cursor }: ListOrdersQuery): Promise<OrdersPage> {
    const deliverBy = range({ from: deliverFrom, below: deliverBefore });
    // One order more than requested shows whether there is a next page, and where it starts.
    const orders = await this.orders.page({ from: cursor, where: { status, deliverBy }, limit: limit + 1 });
    const next = orders.length > limit ? orders.pop()?.id : undefined;
    return { orders, next };
  }

  /** Throws UnknownPet. */
  async create({ petId, customer, extras, price, deliverBy }: NewOrder): Promise<Order> {
    const order = { petId, customer, extras, price, deliverBy, status: OrderStatus.placed };
    try {
      return { id: await this.orders.insert(order), ...order };
    } catch (error) {
      // The foreign key decides: a check before could be outdated by now.
      if (error instanceof ForeignKeyConflict) throw new UnknownPet(petId, { cause: error });
      throw error;
    }
  }

  /** Throws OrderNotFound. */
  async get(orderId: bigint): Promise<Order> {
    return findIn(this.orders, orderId);
  }

  /** Throws OrderNotFound or OrderConflict. */
  change(orderId: bigint, { status, deliverBy }: OrderChanges): Promise<Order> {
    // What the change depends on is read inside of the transaction: nobody changes it before the commit.
    return this.database.transaction(async (transaction) => {
      const orders = transaction.table(OrderEntity);
      const order = await findIn(orders, orderId);
      if (status && !mayBecome(order.status, status)) throw new OrderConflict(order, `become ${status}`);
      await orders.update(orderId, { status, deliverBy });
      return { ...order, status: status ?? order.status, deliverBy: deliverBy ?? order.deliverBy };
    });
  }

  /** Throws OrderNotFound or OrderConflict. */
  async delete(orderId: bigint): Promise<void> {
    // One statement needs no transaction: its condition is checked as the row is deleted.
    const isUnshipped = { status: oneOf([OrderStatus.placed, OrderStatus.approved, OrderStatus.cancelled]) };
    if (await this.orders.delete(orderId, isUnshipped)) return;
    throw new OrderConflict(await this.get(orderId), 'be deleted');
  }

  /** Changes the order and its pet, or neither. Throws OrderNotFound, OrderConflict or PetSold. */
  ship(orderId: bigint): Promise<Order> {
    return this.database.transaction(async (transaction) => {
      const [orders, pets] = [transaction.table(OrderEntity), transaction.table(OrderedPetEntity)];
      const order = await findIn(orders, orderId);
      if (order.status !== OrderStatus.approved) throw new OrderConflict(order, 'be shipped');
      const pet = await pets.find(order.petId);
      if (pet?.status === 'sold') throw new PetSold(order.petId);
      await orders.update(orderId, { status: OrderStatus.shipped });
      await pets.update(order.petId, { status: 'sold' });
      return { ...order, status: OrderStatus.shipped };
    });
  }
}

async function findIn(orders: KeysetTable<OrderEntity>, orderId: bigint): Promise<Row<OrderEntity>> {
  const order = await orders.find(orderId);
  if (!order) throw new OrderNotFound(orderId);
  return order;
}
