import { type DataSource, In, IsNull, MoreThan, Or } from 'typeorm';
import type { KeyScope } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** A key that requests may use. */
export interface ValidKey {
  readonly hash: string;
  readonly name: string;
  readonly mayWrite: boolean;
  /** Milliseconds since 1970; Infinity for never. */
  readonly endsAt: number;
  /** The same; -Infinity for never. */
  readonly lastUsedAt: number;
}

export function hasEnded(key: ValidKey | undefined): boolean {
  return key !== undefined && key.endsAt !== Infinity && key.endsAt <= Date.now();
}

const COLUMNS = ['hash', 'name', 'scope', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const;

type Row = [
  hash: string,
  name: string,
  scope: KeyScope | null,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
];

/**
 * The valid keys of the database. Every process asks for them four times a second, and making 10,000 objects takes long
 * enough to delay requests: so the database writes them into one text, which is parsed only when it differs from the
 * last one.
 */
export class ValidKeys {
  #text?: string;
  #keys: readonly ValidKey[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /** With the keys of `hashes` that have ended. The same array as long as nothing has changed. */
  async read(hashes: readonly string[]): Promise<readonly ValidKey[]> {
    const text = await this.#readText(hashes);
    if (text !== this.#text) {
      this.#keys = (JSON.parse(text) as Row[]).map(toKey);
      this.#text = text;
    }
    return this.#keys;
  }

  async #readText(hashes: readonly string[]): Promise<string> {
    const columns = COLUMNS.map((name) => `"key"."${name}"`).join(', ');
    const list =
      this.dataSource.options.type === 'postgres'
        ? `json_agg(json_build_array(${columns}) ORDER BY "key"."hash")::text`
        : `json_group_array(json_array(${columns}))`;
    const query = this.dataSource.getRepository(ApiKeyEntity).createQueryBuilder('key').select(list, 'keys');
    const known = hashes.length > 0 ? [{ hash: In(hashes) }] : [];
    const row = await query.where([validAt(Date.now()), ...known]).getRawOne<{ keys: string | null }>();
    // Without rows, PostgreSQL's json_agg is null.
    return row?.keys ?? '[]';
  }
}

/** The keys that are valid at that time, in milliseconds since 1970. */
export function validAt(time: number) {
  const isLater = () => Or(IsNull(), MoreThan(BigInt(time)));
  return { revokedAt: isLater(), expiresAt: isLater() };
}

function toKey([hash, name, scope, expiresAt, revokedAt, lastUsedAt]: Row): ValidKey {
  return {
    hash,
    name,
    mayWrite: scope !== 'read',
    endsAt: Math.min(expiresAt ?? Infinity, revokedAt ?? Infinity),
    lastUsedAt: lastUsedAt ?? -Infinity,
  };
}
