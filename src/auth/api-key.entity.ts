import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64 } from '../platform/values/int64.column.js';

/** An API key as stored: never the key itself. */
@Entity('api_keys', { withoutRowid: true })
@Index('api_keys_by_name', ['name'])
export class ApiKeyEntity {
  /** SHA-256 of the key, base64. A fast hash is enough: a key is 190 random bits, not a password. */
  @PrimaryColumn({ type: 'varchar' })
  hash: string;

  @Column({ type: 'varchar' })
  name: string;

  /** Milliseconds since 1970. */
  @Column(INT64)
  createdAt: bigint;

  /** Milliseconds since 1970. In the future during the grace period of a rotation. Null: not revoked. */
  @Column({ ...INT64, nullable: true })
  revokedAt: bigint | null;
}
