import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INT64 } from '../../../src/platform/values/int64.column.js';

/** A row of the table whose column `value` a migration changes. */
export abstract class Thing {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('things', { withoutRowid: true })
export class TextThing extends Thing {
  @Column({ type: 'text' })
  value: string;
}

@Entity('things', { withoutRowid: true })
export class BigThing extends Thing {
  @Column(INT64)
  value: bigint;
}
