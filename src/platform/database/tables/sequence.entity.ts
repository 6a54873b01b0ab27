import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INT64 } from '../../values/int64.column.js';

/** The last id that each table has used, raised in the transaction that stores the rows, so that ids commit in order. */
@Entity('sequences', { withoutRowid: true })
export class SequenceEntity {
  @PrimaryColumn({ type: 'varchar' })
  name: string;

  @Column(INT64)
  last: bigint;
}
