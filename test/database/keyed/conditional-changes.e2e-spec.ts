import { Controller, Module, NotFoundException, Post, Query } from '@nestjs/common';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createDataSource } from '../../../src/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { collectErrors } from '../../platform/nest/toys/log.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { ChangingPetEntity } from './changing-pet.entity.js';

const ROW = { name: 'Rex', categoryId: 7n };
const NONE = 2n ** 60n;
const AGAIN =
  'An operation with an Idempotency-Key makes all its changes in one transaction, or in one insert, update or delete';
const LATER = 'An operation with an Idempotency-Key reads before its change, or in the same transaction';

@Controller('things')
class ThingsController {
  constructor(
    private readonly database: Database,
    @InjectTable(ChangingPetEntity) private readonly pets: KeysetTable<ChangingPetEntity>,
  ) {}

  /** What changes nothing. */
  readonly misses: Readonly<Record<string, () => Promise<unknown>>> = {
    'an update': () => this.pets.update(NONE, { name: 'Tom' }),
    'a deletion': () => this.pets.delete(NONE),
    'a condition': () => this.pets.update(1n, { name: 'Tom' }, { name: 'Nobody' }),
    'a transaction that reads': () => this.database.transaction((own) => own.table(ChangingPetEntity).find(NONE)),
    'a transaction without statements': () => this.database.transaction(() => Promise.resolve(false)),
    'a transaction with an update and a deletion': () =>
      this.database.transaction(async (transaction) => {
        const pets = transaction.table(ChangingPetEntity);
        return (await pets.update(NONE, { name: 'Tom' })) || (await pets.delete(NONE));
      }),
  };

  /** What changes a row. */
  readonly changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'an insert': () => this.pets.insert(ROW),
    'an update': () => this.pets.update(1n, { categoryId: 9n }),
    'a transaction': () =>
      this.database.transaction(async (transaction) => {
        const pets = transaction.table(ChangingPetEntity);
        await pets.update(NONE, { name: 'Tom' });
        await pets.insert(ROW);
        return pets.delete(NONE);
      }),
  };

  @Post()
  async add(@Query('how') how: string): Promise<{ result: bigint }> {
    const [miss, ...changes] = how.split(', ');
    if (await this.misses[miss!]?.()) throw new Error('There is such a pet');
    for (const name of changes) {
      if (name === 'a read') await this.pets.find(1n);
      else await this.changes[name]!();
    }
    if (changes.length > 0) return { result: 1n };
    throw new NotFoundException((await this.pets.find(NONE)) ?? 'no such thing');
  }
}

@Module({ imports: [DatabaseModule.forFeature(ChangingPetEntity)], controllers: [ThingsController] })
class ThingsModule {}

let service: StartedApp;
let errors: string[];

const post = (how: string, key?: string): Promise<HttpResponse> =>
  service.api.post(`/v1/things?how=${encodeURIComponent(how)}`, {}, { headers: { 'idempotency-key': key ?? null } });

async function rowsOf(): Promise<{ pets: number; keys: number }> {
  const { dataSource } = service.app.get(ServedDatabase);
  const count = async (table: string) => {
    const [row] = await dataSource.query<{ count: string }[]>(`SELECT COUNT(*) AS "count" FROM "${table}"`);
    return Number(row!.count); // COUNT returns a row
  };
  return { pets: await count('pets'), keys: await count('idempotency_keys') };
}

beforeAll(async () => {
  service = await startApp(
    {},
    {
      contractFile: fileURLToPath(new URL('things.openapi.yaml', import.meta.url)),
      features: [ThingsModule],
      createDataSource: async (config) => {
        const dataSource = await createDataSource(config);
        // They are listed as classes.
        const entities = [...(dataSource.options.entities as Function[]), ChangingPetEntity];
        return dataSource.setOptions({ entities });
      },
    },
  );
  expect((await post('nothing, an insert')).status).toBe(201);
});

beforeEach(() => {
  errors = collectErrors(service.app);
});

const MISSES = [
  'an update',
  'a deletion',
  'a condition',
  'a transaction that reads',
  'a transaction without statements',
  'a transaction with an update and a deletion',
];

describe('a request with an Idempotency-Key, after what has changed nothing', () => {
  it.each(MISSES)('reads for its 404, and does not use up the key: %s', async (miss) => {
    const [before, key] = [await rowsOf(), randomUUID()];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await post(miss, key)).json).toMatchObject({ status: 404, message: 'no such thing' });
    }
    expect(await rowsOf()).toEqual(before);
    expect(errors).toEqual([]);
  });

  it.each(MISSES)('reads and changes once: %s', async (miss) => {
    const [before, key] = [await rowsOf(), randomUUID()];
    const responses = [];
    for (let attempt = 0; attempt < 2; attempt += 1) responses.push(await post(`${miss}, a read, an insert`, key));
    expect(responses.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(2).fill('201 {"result":1}'));
    expect(await rowsOf()).toEqual({ pets: before.pets + 1, keys: before.keys + 1 });
  });

  it('changes once in a transaction, some of whose changes meet no row', async () => {
    const [before, key] = [await rowsOf(), randomUUID()];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await post('an update, a transaction', key)).status).toBe(201);
    }
    expect(await rowsOf()).toEqual({ pets: before.pets + 1, keys: before.keys + 1 });
  });

  it('changes once when many such requests share a commit', async () => {
    const before = await rowsOf();
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const twice = async (key: string) => {
      const first = await post('a deletion, an insert', key);
      return `${first.status}, ${(await post('a deletion, an insert', key)).status}`;
    };
    expect(await Promise.all(keys.map(twice))).toEqual(Array(20).fill('201, 201'));
    expect(await rowsOf()).toEqual({ pets: before.pets + 20, keys: before.keys + 20 });
  });

  it.each([
    ['an update, an insert, an insert', AGAIN],
    ['an update, an update, an insert', AGAIN],
    ['a transaction that reads, a transaction, an insert', AGAIN],
    ['a deletion, an insert, a read', LATER],
    ['a condition, an update, a read', LATER],
  ])('is refused a second change and a later read: %s', async (how, reason) => {
    const [before, key] = [await rowsOf(), randomUUID()];
    expect((await post(how, key)).status).toBe(500);
    expect(errors).toEqual([expect.stringContaining(reason)]);
    expect(await rowsOf()).toEqual(before);
    expect((await post(how)).status).toBe(201);
  });
});
