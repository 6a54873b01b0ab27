import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Module,
  HttpException,
  NotFoundException,
  Post,
  Query,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDataSource } from '../../../src/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { collectErrors } from '../../platform/nest/toys/log.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { type StartedApp, startApp, type StartOptions } from '../../support/start-app.js';
import { ChangingPetEntity } from './changing-pet.entity.js';

const ROW = { name: 'Rex', categoryId: 7n };
const AGAIN =
  'An operation with an Idempotency-Key makes all its changes in one transaction, or in one insert, update or delete';
const LATER = 'An operation with an Idempotency-Key reads before its change, or in the same transaction';
const INJECTED = 'Inside a transaction, use its own table for "pets": transaction.table(Entity), not the injected one';
const NESTED = 'A transaction cannot contain another one; use the outer one';
const LATE =
  'A change began after the response to its request with an Idempotency-Key, so that it may be lost or made twice; await it before the handler returns (logged only once)';

type Pets = KeysetTable<ChangingPetEntity>;
type Way = (pets: Pets, database: Database) => Promise<unknown>;

const ignore = (): undefined => undefined;
/** The statement that nothing awaits. */
let begun: Promise<unknown> | undefined;
const inserting = (database: Database) =>
  database.transaction((transaction) => transaction.table(ChangingPetEntity).insert(ROW));

/** What a handler does after its first insert, and what is refused with an Idempotency-Key. */
const AFTERWARDS: Readonly<Record<string, readonly [string, Way]>> = {
  'an insert that nothing awaits': [AGAIN, async (pets) => void (begun = pets.insert(ROW))],
  'an update that nothing awaits': [AGAIN, async (pets) => void (begun = pets.update(1n, { name: 'Tom' }))],
  'a deletion that nothing awaits': [AGAIN, async (pets) => void (begun = pets.delete(2n ** 60n))],
  'a transaction that nothing awaits': [AGAIN, async (_, database) => void (begun = inserting(database))],
  'a search that nothing awaits': [LATER, async (pets) => void (begun = pets.find(1n))],
  'a page that nothing awaits': [LATER, async (pets) => void (begun = pets.page({ where: {}, limit: 1 }))],
  'an insert whose failure is caught': [AGAIN, (pets) => pets.insert(ROW).catch(ignore)],
  'an update whose failure is caught': [AGAIN, (pets) => pets.update(1n, { name: 'Tom' }).catch(ignore)],
  'a deletion whose failure is caught': [AGAIN, (pets) => pets.delete(2n ** 60n).catch(ignore)],
  'a transaction whose failure is caught': [AGAIN, (_, database) => inserting(database).catch(ignore)],
  'a search whose failure is caught': [LATER, (pets) => pets.find(1n).catch(ignore)],
};

/** What the work of a transaction does after an insert. */
const INSIDE: Readonly<Record<string, readonly [string, Way]>> = {
  'an insert that nothing awaits': [INJECTED, async (pets) => void (begun = pets.insert(ROW))],
  'a search that nothing awaits': [INJECTED, async (pets) => void (begun = pets.find(1n))],
  'a transaction that nothing awaits': [NESTED, async (_, database) => void (begun = inserting(database))],
  'an insert whose failure is caught': [INJECTED, (pets) => pets.insert(ROW).catch(ignore)],
  'an update whose failure is caught': [INJECTED, (pets) => pets.update(1n, { name: 'Tom' }).catch(ignore)],
  'a page whose failure is caught': [INJECTED, (pets) => pets.page({ where: {}, limit: 1 }).catch(ignore)],
  'a transaction whose failure is caught': [NESTED, (_, database) => inserting(database).catch(ignore)],
};

const hooks = { wait: Promise.resolve(), later: Promise.resolve() };

@Controller('things')
class ThingsController {
  constructor(
    private readonly database: Database,
    @InjectTable(ChangingPetEntity) private readonly pets: Pets,
  ) {}

  readonly ways: Readonly<Record<string, () => Promise<unknown>>> = {
    insert: () => this.pets.insert(ROW),
    'wait, then insert': async () => {
      await hooks.wait;
      return this.pets.insert(ROW);
    },
    'insert again after the response': async () => {
      void hooks.later.then(async () => {
        await this.pets.insert(ROW);
        await inserting(this.database);
      });
      return this.pets.insert(ROW);
    },
    'read again after the response': async () => {
      void hooks.later.then(() => this.pets.find(1n));
      return this.pets.insert(ROW);
    },
    'insert twice in a transaction, and await the first': () =>
      this.database.transaction(async (transaction) => {
        const pets = transaction.table(ChangingPetEntity);
        const id = await pets.insert(ROW);
        begun = pets.insert(ROW);
        return id;
      }),
    'insert twice, and fail': async () => {
      await this.pets.insert(ROW);
      await this.pets.insert(ROW).catch(() => {
        throw new NotFoundException('no such thing');
      });
      return 1n;
    },
    'insert, and throw a redirection': async () => {
      await this.pets.insert(ROW);
      throw new HttpException('See Other', 303);
    },
    'fail in a transaction, then insert': async () => {
      await this.database.transaction(() => Promise.reject(new Error('not today'))).catch(ignore);
      return this.pets.insert(ROW);
    },
  };

  @Post()
  async add(@Query('how') how: string): Promise<{ result: unknown }> {
    const [kind, name = ''] = how.split(': ');
    if (kind === 'afterwards') {
      const result = await this.pets.insert(ROW);
      await AFTERWARDS[name]![1](this.pets, this.database);
      return { result };
    }
    if (kind !== 'inside') return { result: await this.ways[how]!() };
    const result = await this.database.transaction(async (transaction) => {
      const id = await transaction.table(ChangingPetEntity).insert(ROW);
      await INSIDE[name]![1](this.pets, this.database);
      return id;
    });
    return { result };
  }
}

@Module({ imports: [DatabaseModule.forFeature(ChangingPetEntity)], controllers: [ThingsController] })
class ThingsModule {}

/** Nest's documented filter for everything, with the body of the contract. */
@Catch()
class ReplyingFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_: unknown, host: ArgumentsHost): void {
    const body = { code: 'CAUGHT', message: 'Caught.', status: 500 };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, 500);
  }
}

const contractFile = fileURLToPath(new URL('things.openapi.yaml', import.meta.url));
const start = (prepare?: StartOptions['prepare']) =>
  startApp(
    {},
    {
      contractFile,
      features: [ThingsModule],
      prepare,
      createDataSource: async (config) => {
        const dataSource = await createDataSource(config);
        // They are listed as classes.
        const entities = [...(dataSource.options.entities as Function[]), ChangingPetEntity];
        return dataSource.setOptions({ entities });
      },
    },
  );

const post = ({ api }: StartedApp, how: string, key?: string): Promise<HttpResponse> =>
  api.post(`/v1/things?how=${encodeURIComponent(how)}`, {}, { headers: { 'idempotency-key': key ?? null } });

async function rowsOf({ app }: StartedApp): Promise<{ pets: number; keys: number }> {
  const { dataSource } = app.get(ServedDatabase);
  const count = async (table: string) => {
    const [row] = await dataSource.query<{ count: string }[]>(`SELECT COUNT(*) AS "count" FROM "${table}"`);
    return Number(row!.count);
  };
  return { pets: await count('pets'), keys: await count('idempotency_keys') };
}

let service: StartedApp;
let errors: string[];
let before: Awaited<ReturnType<typeof rowsOf>>;

const added = async () => {
  const { pets, keys } = await rowsOf(service);
  return { pets: pets - before.pets, keys: keys - before.keys };
};

/** That the request has failed, for this reason, and nothing is stored. Jest fails a test with an unhandled rejection. */
async function expectRefusal(response: HttpResponse, reason: string): Promise<void> {
  expect(response.json).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', status: 500 });
  await endOfTurn();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(reason);
  expect(await added()).toEqual({ pets: 0, keys: 0 });
}

beforeAll(async () => {
  service = await start();
});

beforeEach(async () => {
  begun = undefined;
  errors = collectErrors(service.app);
  before = await rowsOf(service);
});

it('an exception that stands for a redirection stores nothing with an Idempotency-Key, so that it is a 500', async () => {
  const reason = 'an exception undoes the changes of a request with an Idempotency-Key; return the response instead';
  await expectRefusal(await post(service, 'insert, and throw a redirection', randomUUID()), reason);
  expect((await post(service, 'insert, and throw a redirection')).status).toBe(303);
  expect(await added()).toEqual({ pets: 1, keys: 0 });
});

describe('with an Idempotency-Key, a request whose handler inserts a row, and then begins', () => {
  it.each(Object.entries(AFTERWARDS).map(([name, [reason]]) => [name, reason]))(
    '%s gets 500, stores nothing, and leaves the process and the key alone',
    async (name, reason) => {
      const key = randomUUID();
      await expectRefusal(await post(service, `afterwards: ${name}`, key), reason);
      expect((await post(service, 'insert', key)).status).toBe(201);
      expect(await added()).toEqual({ pets: 1, keys: 1 });
    },
  );

  it.each(Object.keys(AFTERWARDS))('%s is carried out without the key', async (name) => {
    expect((await post(service, `afterwards: ${name}`)).status).toBe(201);
    await begun;
    expect(errors).toEqual([]);
  });
});

describe.each([
  ['with', true],
  ['without', false],
])('%s an Idempotency-Key, a transaction that inserts a row, and then begins', (_, hasKey) => {
  it.each(Object.entries(INSIDE).map(([name, [reason]]) => [name, reason]))(
    '%s outside of it fails, stores nothing, and leaves the process alone',
    async (name, reason) => {
      const key = hasKey ? randomUUID() : undefined;
      await expectRefusal(await post(service, `inside: ${name}`, key), reason);
      expect((await post(service, 'insert', key)).status).toBe(201);
    },
  );
});

it.each([
  ['with', true],
  ['without', false],
])(
  'a transaction that does not await its last statement is undone, and the log names it: %s a key',
  async (_, hasKey) => {
    const response = await post(
      service,
      'insert twice in a transaction, and await the first',
      hasKey ? randomUUID() : undefined,
    );
    await expectRefusal(response, 'A transaction must await each of its statements; await its insert of "pets"');
  },
);

describe('a request with an Idempotency-Key', () => {
  it('gets 500 for a second change, although its handler makes another error of it', async () => {
    await expectRefusal(await post(service, 'insert twice, and fail', randomUUID()), AGAIN);
  });

  it('may try another change when the first one has failed', async () => {
    const key = randomUUID();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await post(service, 'fail in a transaction, then insert', key)).status).toBe(201);
    }
    expect(errors).toEqual([]);
    expect(await added()).toEqual({ pets: 1, keys: 1 });
  });

  it('gets the response of an exception filter to a refusal, and stores nothing', async () => {
    const filtered = await start((app) => void app.useGlobalFilters(new ReplyingFilter(app.get(HttpAdapterHost))));
    const response = await post(filtered, 'afterwards: an insert whose failure is caught', randomUUID());
    expect(response.json).toEqual({ code: 'CAUGHT', message: 'Caught.', status: 500 });
    expect(await rowsOf(filtered)).toEqual({ pets: 0, keys: 0 });
  });

  it('stores what its handler begins after the response, and the log says once that it comes too late', async () => {
    let [release, begin] = [ignore as () => void, ignore as () => void];
    hooks.wait = new Promise((resolve) => (release = resolve));
    // While another such request runs, each change is looked at.
    const running = post(service, 'wait, then insert', randomUUID());
    for (const pets of [3, 6]) {
      hooks.later = new Promise((resolve) => (begin = resolve));
      expect((await post(service, 'insert again after the response', randomUUID())).status).toBe(201);
      begin();
      while ((await added()).pets < pets) await endOfTurn();
    }
    hooks.later = new Promise((resolve) => (begin = resolve));
    expect((await post(service, 'read again after the response', randomUUID())).status).toBe(201);
    begin();
    release();
    expect((await running).status).toBe(201);
    expect(await added()).toEqual({ pets: 8, keys: 4 });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(LATE);
    expect(errors[0]).toContain('refused-statements.e2e-spec');
  });
});
