import type { DataSource } from 'typeorm';
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

/** As either driver returns it: PostgreSQL's returns a bigint as a text. */
type Cell = number | string | null;

interface Row {
  readonly hash: string;
  readonly name: string;
  readonly scope: KeyScope | null;
  readonly expiresAt: Cell;
  readonly revokedAt: Cell;
  readonly lastUsedAt: Cell;
}

const TIMES = ['createdAt', 'revokedAt', 'expiresAt', 'lastUsedAt'];

/**
 * The valid keys of the database. Every process asks for them twice a second, and reading 10,000 takes long enough to delay
 * requests: it reads them only when the database computes another sum of all keys than the last time.
 */
export class ValidKeys {
  #sums?: string;
  #keys: readonly ValidKey[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /** The same array as long as nothing has changed. */
  async read(): Promise<readonly ValidKey[]> {
    const rows = this.dataSource.getRepository(ApiKeyEntity);
    const { tableName } = rows.metadata;
    const valid = isValidAt(Date.now());
    // Before the keys: what changes in between is read again the next time.
    const sums = JSON.stringify(await rows.query(`SELECT ${sumsOf(valid)} FROM "${tableName}"`));
    if (sums === this.#sums) return this.#keys;
    const columns = '"hash", "name", "scope", "expiresAt", "revokedAt", "lastUsedAt"';
    // Without entities, which would take ten times as long.
    const found: Row[] = await rows.query(`SELECT ${columns} FROM "${tableName}" WHERE ${valid}`);
    this.#keys = found.map(toKey);
    this.#sums = sums;
    return this.#keys;
  }
}

function isValidAt(time: number): string {
  return ['revokedAt', 'expiresAt'].map((end) => `("${end}" IS NULL OR "${end}" > ${time})`).join(' AND ');
}

/** Every change of a key changes one of them. A time in two parts, so that the sums of both are exact in a double. */
function sumsOf(valid: string): string {
  const times = TIMES.flatMap((time) => [`count("${time}")`, `sum("${time}" >> 20)`, `sum("${time}" & 1048575)`]);
  return ['count(*)', `count(*) FILTER (WHERE ${valid})`, 'count("scope")', ...times]
    .map((sum, index) => `${sum} AS "sum${index}"`)
    .join(', ');
}

function toKey({ hash, name, scope, expiresAt, revokedAt, lastUsedAt }: Row): ValidKey {
  return {
    hash,
    name,
    mayWrite: scope !== 'read',
    endsAt: Math.min(timeOr(expiresAt, Infinity), timeOr(revokedAt, Infinity)),
    lastUsedAt: timeOr(lastUsedAt, -Infinity),
  };
}

function timeOr(time: Cell, absent: number): number {
  return time === null ? absent : Number(time);
}
