import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, In, type Repository } from 'typeorm';
import { databaseFault } from '../platform/database/tables/database-fault.js';
import { hashApiKey, newApiKey } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

export interface ApiKeyStatus {
  readonly name: string;
  readonly createdAt: Date;
  /** When it stopped working, or will. */
  readonly revokedAt?: Date;
}

/**
 * The keys of the database: made, listed, rotated, revoked. Only `create` and `rotate` ever see one in clear. Each
 * method throws DatabaseUnavailable when the database cannot do its work now.
 */
@Injectable()
export class ApiKeys {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The new key, or undefined when a key of this name works already. */
  async create(name: string): Promise<string | undefined> {
    return (await this.#working(name)).length > 0 ? undefined : this.#add(name);
  }

  async list(): Promise<ApiKeyStatus[]> {
    const keys = await this.#available((rows) => rows.find({ order: { createdAt: 'ASC', hash: 'ASC' } }));
    return keys.map(({ name, createdAt, revokedAt }) => ({
      name,
      createdAt: new Date(Number(createdAt)),
      ...(revokedAt !== null && { revokedAt: new Date(Number(revokedAt)) }),
    }));
  }

  /** A second key of the name; the ones before it work for `grace` milliseconds more. Undefined when there is none. */
  async rotate(name: string, grace: number): Promise<string | undefined> {
    const before = await this.#working(name);
    if (before.length === 0) return undefined;
    // Not in one transaction, which would hold the connection of all: whatever fails on the way, a key of the name
    // works, and the next rotation ends those that this one has left.
    const key = await this.#add(name);
    await this.#end(before, Date.now() + grace);
    return key;
  }

  /** False when no key of this name works. */
  async revoke(name: string): Promise<boolean> {
    const keys = await this.#working(name);
    await this.#end(keys, Date.now());
    return keys.length > 0;
  }

  /** The hashes of the keys that work now. */
  async workingHashes(): Promise<string[]> {
    const keys = await this.#available((rows) => rows.find({ select: { hash: true, revokedAt: true } }));
    return keys.filter(worksAt(Date.now())).map(({ hash }) => hash);
  }

  async #add(name: string): Promise<string> {
    const key = newApiKey();
    const row = { hash: hashApiKey(key), name, createdAt: BigInt(Date.now()), revokedAt: null };
    await this.#available((rows) => rows.insert(row));
    return key;
  }

  /** All or none. Leaves alone what ends before that time anyhow. */
  async #end(keys: readonly ApiKeyEntity[], time: number): Promise<void> {
    const hashes = keys.filter(worksAt(time)).map(({ hash }) => hash);
    await this.#available((rows) => rows.update({ hash: In(hashes) }, { revokedAt: BigInt(time) }));
  }

  async #working(name: string): Promise<ApiKeyEntity[]> {
    return (await this.#available((rows) => rows.findBy({ name }))).filter(worksAt(Date.now()));
  }

  async #available<T>(work: (rows: Repository<ApiKeyEntity>) => Promise<T>): Promise<T> {
    try {
      return await work(this.dataSource.getRepository(ApiKeyEntity));
    } catch (error) {
      throw databaseFault(error, this.dataSource.isInitialized);
    }
  }
}

function worksAt(time: number): (key: Pick<ApiKeyEntity, 'revokedAt'>) => boolean {
  return ({ revokedAt }) => revokedAt === null || revokedAt > BigInt(time);
}
