import {
  type DataSource,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThan,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { databaseFault } from '../platform/database/database-fault.js';
import { hashApiKey, type KeyScope, newApiKey } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { validAt, type ValidKey, ValidKeys } from './valid-keys.js';

export interface ApiKeyStatus {
  readonly name: string;
  readonly createdAt: Date;
  /** Absent for a key that may read and write. */
  readonly scope?: 'read';
  /** Absent for a revoked key as well. */
  readonly expiresAt?: Date;
  /** When it became invalid, or will. */
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}

interface KeyLimits {
  readonly scope?: KeyScope;
  /** Milliseconds from now on. */
  readonly lifetime?: number;
}

/**
 * Creates, lists, rotates and revokes the keys in the database. Only `create`, `rotate` and `remove` handle a key in clear text.
 * Each method throws DatabaseUnavailable when the database cannot serve it. Keys have no id, so they have no KeysetTable but
 * TypeORM's repository. That is safe here: each change is one statement, apart from a lock, and a double holds the times (ADR 4).
 */
export class ApiKeys {
  readonly #valid: ValidKeys;

  constructor(private readonly dataSource: DataSource) {
    this.#valid = new ValidKeys(dataSource);
  }

  /** The new key, or undefined when a valid key has this name. */
  create(name: string, { scope, lifetime }: KeyLimits = {}): Promise<string | undefined> {
    // An aggregate makes one row of no keys, for which MAX is NULL; HAVING leaves no row where a valid key has the name.
    const values = ['COALESCE(MAX("key"."name"), :name)', ':scope'];
    return this.#add(values, lifetime, (keys, now) =>
      keys
        .where({ name, ...validAt(now) })
        .having('COUNT(*) = 0')
        .setParameters({ name, scope: scope === 'read' ? scope : null }),
    );
  }

  /** Removes a key that was never shown. */
  async remove(key: string): Promise<void> {
    await this.#run((rows) => rows.delete({ hash: hashApiKey(key) }));
  }

  async list(): Promise<ApiKeyStatus[]> {
    const keys = await this.#run((rows) => rows.find({ order: { createdAt: 'ASC', hash: 'ASC' } }));
    return keys.map(({ name, createdAt, scope, expiresAt, revokedAt, lastUsedAt }) => ({
      name,
      createdAt: new Date(Number(createdAt)),
      ...(scope === 'read' && { scope }),
      // 0 for a revoked key.
      ...(expiresAt && { expiresAt: new Date(Number(expiresAt)) }),
      ...(revokedAt !== null && { revokedAt: new Date(endOf(Number(revokedAt), expiresAt)) }),
      ...(lastUsedAt !== null && { lastUsedAt: new Date(Number(lastUsedAt)) }),
    }));
  }

  /**
   * A new key of the same name and scope; its predecessors stay valid for `grace` milliseconds. Without a `lifetime`, it is
   * valid for as long as its latest predecessor was to be. Undefined when no valid key has this name.
   */
  async rotate(name: string, grace: number, lifetime?: number): Promise<string | undefined> {
    const before = await this.#validKeys(name);
    const latest = before.toSorted((one, other) => Number(one.createdAt - other.createdAt)).at(-1);
    if (!latest) return undefined;
    const { expiresAt, createdAt } = latest;
    const span = lifetime ?? (expiresAt === null ? undefined : Number(expiresAt - createdAt));
    // Without a transaction of both steps, which would occupy the only connection to SQLite. If a step fails, at least one
    // key stays valid, and the next rotation revokes the leftovers.
    const key = await this.#succeed(latest, span);
    // Another process has revoked or rotated it meanwhile.
    if (key === undefined) return this.rotate(name, grace, lifetime);
    await (grace === 0 ? this.#revokeNow(before) : this.#endAt(before, Date.now() + grace));
    return key;
  }

  /** False when no valid key has this name. */
  async revoke(name: string): Promise<boolean> {
    const { affected } = await this.#alone((rows) => rows.update({ name, ...validAt(Date.now()) }, revokedNow()));
    return affected !== 0;
  }

  /** The valid keys, and those of `hashes` that have ended; the same array as last time if nothing has changed. */
  valid(hashes: readonly string[] = []): Promise<readonly ValidKey[]> {
    return this.#run(() => this.#valid.read(hashes));
  }

  /** Records that keys were used now, unless another replica has done so since `before`. */
  async recordUse(hashes: readonly string[], before: number): Promise<void> {
    const stale = [IsNull(), LessThan(BigInt(before))].map((lastUsedAt) => ({ hash: In(hashes), lastUsedAt }));
    await this.#run((rows) => rows.update(stale, { lastUsedAt: BigInt(Date.now()) }));
  }

  /** Adds a key of the same name and scope, and returns it. Undefined when `latest` has ended: a revoked key has no successor. */
  #succeed({ hash }: ApiKeyEntity, lifetime: number | undefined): Promise<string | undefined> {
    const values = ['"key"."name"', '"key"."scope"'];
    return this.#add(values, lifetime, (keys, now) => keys.where({ hash, ...validAt(now) }));
  }

  /** Adds a key with a name and a scope for the row that `choose` leaves of all keys, and returns it; undefined without a row. */
  async #add(
    values: readonly string[],
    lifetime: number | undefined,
    choose: (keys: SelectQueryBuilder<ApiKeyEntity>, now: number) => SelectQueryBuilder<ApiKeyEntity>,
  ): Promise<string | undefined> {
    const key = newApiKey();
    const now = Date.now();
    const added = await this.#alone((rows) => {
      const keys = rows.createQueryBuilder('key').select([...values, ':hash', ':createdAt', ':expiresAt']);
      const [select, parameters] = choose(keys, now)
        .setParameters({
          hash: hashApiKey(key),
          createdAt: BigInt(now),
          expiresAt: lifetime === undefined ? null : BigInt(now + lifetime),
        })
        .getQueryAndParameters();
      const columns = '"name", "scope", "hash", "createdAt", "expiresAt"';
      const insert = `INSERT INTO ${rows.metadata.tablePath} (${columns}) ${select} RETURNING "hash"`;
      return rows.query<unknown[]>(insert, parameters);
    });
    return added.length > 0 ? key : undefined;
  }

  /** All or none. */
  async #revokeNow(keys: readonly ApiKeyEntity[]): Promise<void> {
    await this.#update(keys, revokedNow());
  }

  /** All or none. Skips keys that become invalid before that time anyway. */
  async #endAt(keys: readonly ApiKeyEntity[], time: number): Promise<void> {
    await this.#update(keys, { revokedAt: BigInt(time) }, validAt(time));
  }

  async #update(
    keys: readonly ApiKeyEntity[],
    changes: Partial<ApiKeyEntity>,
    condition: FindOptionsWhere<ApiKeyEntity> = {},
  ): Promise<void> {
    const hashes = keys.map(({ hash }) => hash);
    await this.#run((rows) => rows.update({ hash: In(hashes), ...condition }, changes));
  }

  async #validKeys(name: string): Promise<ApiKeyEntity[]> {
    return this.#run((rows) => rows.findBy({ name, ...validAt(Date.now()) }));
  }

  /**
   * A change that depends on other rows. A statement of PostgreSQL overlooks the rows that are committed while it runs or
   * waits, so that a revoked key could have a successor: the lock makes changes wait for each other. SQLite has one writer.
   */
  #alone<T>(change: (rows: Repository<ApiKeyEntity>) => Promise<T>): Promise<T> {
    return this.#run((rows) => {
      if (this.dataSource.options.type !== 'postgres') return change(rows);
      return this.dataSource.transaction(async (manager) => {
        await manager.query(`LOCK TABLE ${rows.metadata.tablePath} IN SHARE ROW EXCLUSIVE MODE`);
        return change(manager.getRepository(ApiKeyEntity));
      });
    });
  }

  async #run<T>(work: (rows: Repository<ApiKeyEntity>) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.getRepository(ApiKeyEntity));
    } catch (error) {
      throw databaseFault(error, this.dataSource);
    }
  }
}

/** Independent of the clocks: an expiry of 0 is always past. */
function revokedNow(): Partial<ApiKeyEntity> {
  return { revokedAt: BigInt(Date.now()), expiresAt: 0n };
}

/** A revoked key ends at once, also when the clock that revoked it was ahead of this one: it has an expiry of 0. */
function endOf(revokedAt: number, expiresAt: bigint | null): number {
  return expiresAt === 0n ? Math.min(revokedAt, Date.now()) : revokedAt;
}
