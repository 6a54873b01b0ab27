import { type DataSource, In, type Repository } from 'typeorm';
import { databaseFault } from '../platform/database/database-fault.js';
import { hashApiKey, newApiKey } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

export interface ApiKeyStatus {
  readonly name: string;
  readonly createdAt: Date;
  /** When it became invalid, or will. */
  readonly revokedAt?: Date;
}

/**
 * Creates, lists, rotates and revokes the keys in the database. Only `create` and `rotate` handle a key in clear text.
 * Each method throws DatabaseUnavailable when the database cannot serve it. Keys have no id, so it uses TypeORM's repository,
 * for single statements and times, which a double holds (ADR 4).
 */
export class ApiKeys {
  constructor(private readonly dataSource: DataSource) {}

  /** The new key, or undefined when a valid key has this name. */
  async create(name: string): Promise<string | undefined> {
    return (await this.#validKeys(name)).length > 0 ? undefined : this.#add(name);
  }

  async list(): Promise<ApiKeyStatus[]> {
    const keys = await this.#run((rows) => rows.find({ order: { createdAt: 'ASC', hash: 'ASC' } }));
    return keys.map(({ name, createdAt, revokedAt }) => ({
      name,
      createdAt: new Date(Number(createdAt)),
      ...(revokedAt !== null && { revokedAt: new Date(Number(revokedAt)) }),
    }));
  }

  /**
   * A new key of the same name; its predecessors stay valid for `grace` milliseconds. Undefined when no valid key has
   * this name.
   */
  async rotate(name: string, grace: number): Promise<string | undefined> {
    const before = await this.#validKeys(name);
    if (before.length === 0) return undefined;
    // Without a transaction, which would occupy the only connection to SQLite. If a step fails, at least one key stays
    // valid, and the next rotation revokes the leftovers.
    const key = await this.#add(name);
    await this.#revokeAt(before, Date.now() + grace);
    return key;
  }

  /** False when no valid key has this name. */
  async revoke(name: string): Promise<boolean> {
    const keys = await this.#validKeys(name);
    await this.#revokeAt(keys, Date.now());
    return keys.length > 0;
  }

  /** The hashes of the keys that are valid now. */
  async validHashes(): Promise<string[]> {
    const keys = await this.#run((rows) => rows.find({ select: { hash: true, revokedAt: true } }));
    return keys.filter(isValidAt(Date.now())).map(({ hash }) => hash);
  }

  async #add(name: string): Promise<string> {
    const key = newApiKey();
    const row = { hash: hashApiKey(key), name, createdAt: BigInt(Date.now()), revokedAt: null };
    await this.#run((rows) => rows.insert(row));
    return key;
  }

  /** All or none. Skips keys that become invalid before that time anyway. */
  async #revokeAt(keys: readonly ApiKeyEntity[], time: number): Promise<void> {
    const hashes = keys.filter(isValidAt(time)).map(({ hash }) => hash);
    await this.#run((rows) => rows.update({ hash: In(hashes) }, { revokedAt: BigInt(time) }));
  }

  async #validKeys(name: string): Promise<ApiKeyEntity[]> {
    return (await this.#run((rows) => rows.findBy({ name }))).filter(isValidAt(Date.now()));
  }

  async #run<T>(work: (rows: Repository<ApiKeyEntity>) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.getRepository(ApiKeyEntity));
    } catch (error) {
      throw databaseFault(error, this.dataSource);
    }
  }
}

function isValidAt(time: number): (key: Pick<ApiKeyEntity, 'revokedAt'>) => boolean {
  return ({ revokedAt }) => revokedAt === null || revokedAt > BigInt(time);
}
