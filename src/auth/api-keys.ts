import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, Repository } from 'typeorm';
import { DatabaseUnavailable } from '../database/database-unavailable.js';
import { hashApiKey, newApiKey } from './api-key.js';
import { ApiKeyEntity } from './api-key.entity.js';

export interface ApiKeyStatus {
  readonly name: string;
  readonly createdAt: Date;
  /** When it stopped working, or will. */
  readonly revokedAt?: Date;
}

/** The keys of the database: made, listed, rotated, revoked. Only `create` and `rotate` ever see one in clear. */
@Injectable()
export class ApiKeys {
  readonly #keys: Repository<ApiKeyEntity>;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.#keys = dataSource.getRepository(ApiKeyEntity);
  }

  /** The new key, or undefined when a key of this name works already. */
  async create(name: string): Promise<string | undefined> {
    return (await this.#working(name)).length > 0 ? undefined : this.#add(name);
  }

  async list(): Promise<ApiKeyStatus[]> {
    const keys = await this.#keys.find({ order: { createdAt: 'ASC', hash: 'ASC' } });
    return keys.map(({ name, createdAt, revokedAt }) => ({
      name,
      createdAt: new Date(Number(createdAt)),
      ...(revokedAt !== null && { revokedAt: new Date(Number(revokedAt)) }),
    }));
  }

  /** A second key of the name; the ones before it work for `grace` milliseconds more. Undefined when there is none. */
  async rotate(name: string, grace: number): Promise<string | undefined> {
    return (await this.#end(name, Date.now() + grace)) ? this.#add(name) : undefined;
  }

  /** False when no key of this name works. */
  revoke(name: string): Promise<boolean> {
    return this.#end(name, Date.now());
  }

  /** The hashes of the keys that work now. */
  async workingHashes(): Promise<string[]> {
    try {
      const keys = await this.#keys.find({ select: { hash: true, revokedAt: true } });
      return keys.filter(isWorking).map(({ hash }) => hash);
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  async #add(name: string): Promise<string> {
    const key = newApiKey();
    await this.#keys.insert({ hash: hashApiKey(key), name, createdAt: BigInt(Date.now()), revokedAt: null });
    return key;
  }

  async #end(name: string, revokedAt: number): Promise<boolean> {
    const keys = await this.#working(name);
    for (const key of keys) {
      const earliest = key.revokedAt !== null && key.revokedAt < BigInt(revokedAt) ? key.revokedAt : BigInt(revokedAt);
      await this.#keys.update({ hash: key.hash }, { revokedAt: earliest });
    }
    return keys.length > 0;
  }

  async #working(name: string): Promise<ApiKeyEntity[]> {
    return (await this.#keys.findBy({ name })).filter(isWorking);
  }
}

function isWorking({ revokedAt }: Pick<ApiKeyEntity, 'revokedAt'>): boolean {
  return revokedAt === null || revokedAt > BigInt(Date.now());
}
