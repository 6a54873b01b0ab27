import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INT64 } from '../../../src/platform/values/int64.column.js';

/** Pets that change. */
@Entity('pets', { synchronize: false })
export class ChangingPetEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;

  @Column(INT64)
  categoryId: bigint;
}
