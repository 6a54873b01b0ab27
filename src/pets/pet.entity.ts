import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AppendOnly } from '../platform/database/tables/columns/append-only.decorator.js';
import { INT64 } from '../platform/values/int64.column.js';
import type { PetStatus } from './pet-status.js';

@AppendOnly()
@Entity('pets', { withoutRowid: true })
@Index('pets_by_status', ['status', 'id'])
export class PetEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;

  @Column(INT64)
  categoryId: bigint;

  /** Null when it was omitted on creation; a row that is read then has no such member. */
  @Column({ type: 'varchar', nullable: true })
  status: PetStatus | null;
}
