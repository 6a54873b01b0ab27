import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INT64 } from '../platform/values/int64.column.js';

/** What orders need of a pet. The pets declare the whole table, so migrations leave this entity out. */
@Entity('pets', { synchronize: false })
export class OrderedPetEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'varchar', nullable: true })
  status: 'available' | 'pending' | 'sold' | null;
}
