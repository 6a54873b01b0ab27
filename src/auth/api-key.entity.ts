import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64 } from '../platform/values/int64.column.js';
import type { KeyScope } from './api-key.js';

/** An API key as stored: never the key itself. Times are in milliseconds since 1970. */
@Entity('api_keys', { withoutRowid: true })
@Index('api_keys_by_name', ['name'])
export class ApiKeyEntity {
  /** SHA-256 of the key, base64. A fast hash is enough: a key is 190 random bits, not a password. */
  @PrimaryColumn({ type: 'varchar' })
  hash: string;

  @Column({ type: 'varchar' })
  name: string;

  @Column(INT64)
  createdAt: bigint;

  /** In the future during the grace period of a rotation. Null: not revoked. */
  @Column({ ...INT64, nullable: true })
  revokedAt: bigint | null;

  /** Null: read and write. */
  @Column({ type: 'varchar', nullable: true })
  scope: KeyScope | null;

  /** Null: never. 0 for a revoked key, which then stays invalid even if the clock is set back before its revocation. */
  @Column({ ...INT64, nullable: true })
  expiresAt: bigint | null;

  /** Recorded at most once an hour; null before the first time. */
  @Column({ ...INT64, nullable: true })
  lastUsedAt: bigint | null;
}
