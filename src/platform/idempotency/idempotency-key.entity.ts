import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64 } from '../values/int64.column.js';

/** A request that was sent with an Idempotency-Key and changed something, with its response. */
@Entity('idempotency_keys', { withoutRowid: true })
@Index('idempotency_keys_by_time', ['storedAt'])
export class IdempotencyKeyEntity {
  /** SHA-256 of the caller and the key, base64: an index of bounded size, and nothing that a caller sent. */
  @PrimaryColumn({ type: 'varchar' })
  hash: string;

  /** SHA-256 of method, target and body, base64. */
  @Column({ type: 'varchar' })
  fingerprint: string;

  @Column({ type: 'integer' })
  status: number;

  /** Names and values, as a JSON list. */
  @Column({ type: 'text' })
  headers: string;

  @Column({ type: 'text', nullable: true })
  body: string | null;

  /** Milliseconds since 1970. */
  @Column(INT64)
  storedAt: bigint;
}
