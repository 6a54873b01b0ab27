import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AppendOnly } from '../../../src/platform/database/tables/columns/append-only.decorator.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import type { OrderState } from './orders.dto.js';

@Entity('shop_stocks', { withoutRowid: true })
export class StockEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  /** Orders that can still be shipped from it. */
  @Column(INT64)
  count: bigint;
}

@Entity('shop_orders', { withoutRowid: true })
@Index('shop_orders_by_state', ['state', 'id'])
@Index('shop_orders_by_token', ['token'], { unique: true })
export class OrderEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  /** Chosen by the client, and never twice. */
  @Column({ type: 'varchar' })
  token: string;

  @ForeignKey(() => StockEntity)
  @Column(INT64)
  stockId: bigint;

  /** How often it was changed. */
  @Column(INT64)
  version: bigint;

  @Column({ type: 'text' })
  note: string;

  @Column({ type: 'varchar' })
  state: OrderState;
}

/** Standbys serve its reads, beside orders that only the primary serves. */
@AppendOnly()
@Entity('shop_parcels', { withoutRowid: true })
export class ParcelEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column(INT64)
  orderId: bigint;
}
