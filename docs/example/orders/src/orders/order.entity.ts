import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { INT64 } from '../platform/values/int64.column.js';
import type { OrderStatus } from './order-status.js';
import { OrderedPetEntity } from './ordered-pet.entity.js';
import type { Customer, Extra } from './orders.dto.js';

/** Not @AppendOnly(): orders change and are deleted, so standbys do not serve them. */
@Entity('orders', { withoutRowid: true })
@Index('orders_by_status', ['status', 'id'])
@Index('orders_by_deliver_by', ['deliverBy', 'id'])
export class OrderEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => OrderedPetEntity, { name: 'orders_pet' })
  @Column(INT64)
  petId: bigint;

  @Column({ type: 'simple-json' })
  customer: Customer;

  @Column({ type: 'simple-json' })
  extras: Extra[];

  /** Text in the code: a JavaScript number would round it. */
  @Column({ type: 'numeric', precision: 10, scale: 2 })
  price: string;

  @Column({ type: Date, precision: 3 })
  deliverBy: Date;

  @Column({ type: 'varchar' })
  status: OrderStatus;
}
