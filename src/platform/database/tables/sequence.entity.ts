import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INT64 } from '../../values/int64.column.js';

/** The last id that each table has given out. Raised in the transaction that stores the rows: ids commit in their order. */
@Entity('sequences', { withoutRowid: true })
export class SequenceEntity {
  @PrimaryColumn({ type: 'varchar' })
  name: string;

  @Column(INT64)
  last: bigint;
}
