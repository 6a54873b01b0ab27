import type { Type } from '@nestjs/common';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { statements } from '../../postgres/copy/stored-rows.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { untilServed } from '../../support/http/until-served.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import {
  hooks,
  ObservedThingsModule,
  RedirectingThingsModule,
  SendingThingsModule,
  ThingsModule,
} from './things.module.js';

const contractFile = fileURLToPath(new URL('things.openapi.yaml', import.meta.url));

const start = (module: Type<object>, overrides = {}) => startApp(overrides, { contractFile, features: [module] });

const post = ({ api }: StartedApp, how: string, key?: string): Promise<HttpResponse> =>
  untilServed(() =>
    api.post(`/v1/things?how=${encodeURIComponent(how)}`, {}, { headers: { 'idempotency-key': key ?? null } }),
  );

/** A handler may still run after its response was refused: then its key is in use for the other request. */
async function postOnceFree(service: StartedApp, how: string, key: string): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await post(service, how, key);
    if (response.status !== 422 || attempt === 100) return response;
    await delay(20);
  }
}

interface Rows {
  readonly pets: number;
  readonly keys: number;
}

async function rowsOf({ app }: StartedApp): Promise<Rows> {
  const count = async (table: string) => {
    const [row] = await app
      .get(ServedDatabase)
      .dataSource.query<{ count: string }[]>(`SELECT COUNT(*) AS "count" FROM "${table}"`);
    return Number(row!.count);
  };
  return { pets: await count('pets'), keys: await count('idempotency_keys') };
}

/** What `work` adds. */
async function added(service: StartedApp, work: () => Promise<void>): Promise<Rows> {
  const before = await rowsOf(service);
  await work();
  const after = await rowsOf(service);
  return { pets: after.pets - before.pets, keys: after.keys - before.keys };
}

const seen = (response: HttpResponse) => ({
  status: response.status,
  text: response.text,
  number: response.header('x-number'),
});

beforeEach(() => {
  hooks.calls = 0;
  hooks.wait = () => Promise.resolve();
});

describe.each([
  ['our handler', ThingsModule],
  ["Nest's own handler", ObservedThingsModule],
])('an operation with an Idempotency-Key, served by %s', (_name, module) => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await start(module);
  });

  it.each([
    ['insert', 1],
    ['insert after a wait', 1],
    ['wait after an insert', 1],
    ['transaction', 2],
    ['wait after a transaction', 1],
    ['insert without waiting', 1],
    ['an empty response', 1],
    ['headers', 1],
    ['write while the response is stored', 1],
  ])('is carried out once: %s', async (how, pets) => {
    hooks.wait = () => new Promise((resolve) => void setTimeout(resolve, 20));
    const key = randomUUID();
    const once = async () => {
      const first = await post(service, how, key);
      expect(first.status).toBeLessThan(300);
      expect(seen(await post(service, how, key))).toEqual(seen(first));
      expect(hooks.calls).toBe(1);
    };
    expect(await added(service, once)).toEqual({ pets, keys: 1 });
    const again = async () => {
      expect((await post(service, how)).status).toBeLessThan(300);
      expect((await post(service, how, randomUUID())).status).toBeLessThan(300);
    };
    expect(await added(service, again)).toEqual({ pets: 2 * pets, keys: 1 });
  });

  it.each([
    ['fail after an insert', 404],
    ['fail after a transaction', 404],
    ['fail in a transaction', 404],
    ['break the contract after an insert', 500],
    ['fail with an error that breaks the contract', 500],
    ['write the response after an insert', 500],
    ['write the response, then insert', 500],
    ['write the response, then fail', 500],
    ['insert twice', 500],
    ['insert twice at once', 500],
    ['read after an insert', 500],
    ['insert in a transaction with the injected table', 500],
  ])('leaves nothing behind: %s', async (how, status) => {
    const key = randomUUID();
    const failing = async () => expect((await post(service, how, key)).status).toBe(status);
    expect(await added(service, failing)).toEqual({ pets: 0, keys: 0 });
    // The key is not used up, and nothing blocks other writes.
    const following = async () => {
      expect((await postOnceFree(service, 'insert', key)).status).toBe(201);
      expect((await post(service, 'insert')).status).toBe(201);
    };
    expect(await added(service, following)).toEqual({ pets: 2, keys: 1 });
  });

  it('is carried out again when it changed nothing', async () => {
    const key = randomUUID();
    const twice = async () => {
      expect((await post(service, 'nothing', key)).text).toBe('{"result":1}');
      expect((await post(service, 'nothing', key)).text).toBe('{"result":2}');
    };
    expect(await added(service, twice)).toEqual({ pets: 0, keys: 0 });
  });

  it('fails alone in a commit with others', async () => {
    const ways = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? 'fail after an insert' : 'insert'));
    const together = async () => {
      const responses = await Promise.all(ways.map((how) => post(service, how, randomUUID())));
      expect(responses.map(({ status }) => status)).toEqual(ways.map((how) => (how === 'insert' ? 201 : 404)));
      const ids = responses.filter(({ status }) => status === 201).map(({ text }) => text);
      expect(new Set(ids).size).toBe(20);
    };
    expect(await added(service, together)).toEqual({ pets: 20, keys: 20 });
  });
});

describe('an operation with an Idempotency-Key', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await start(ThingsModule);
  });

  it.each(['insert after a wait', 'wait after an insert', 'wait after a transaction'])(
    'refuses the key of a request that runs: %s',
    async (how) => {
      const key = randomUUID();
      let release = () => {};
      const waits = new Promise<void>((waiting) => {
        hooks.wait = () => {
          // Only the first one may get here.
          hooks.wait = () => Promise.resolve();
          waiting();
          return new Promise((resolve) => (release = resolve));
        };
      });
      const first = post(service, how, key);
      await waits;
      const second = await post(service, how, key);
      expect(second.json).toMatchObject({ code: 'REQUEST_IN_PROGRESS', status: 409 });
      expect(second.header('retry-after')).toBe('1');
      expect((await post(service, 'insert', key)).json).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
      release();
      const response = seen(await first);
      expect(response.status).toBe(201);
      expect(seen(await post(service, how, key))).toEqual(response);
    },
  );

  it.each(['wait after an insert', 'wait after a transaction'])(
    'is undone when it delays the commit too long: %s',
    async (how) => {
      // The limit also applies to the start.
      const limit = 2000;
      const impatient = await start(ThingsModule, { databaseStatementTimeout: limit });
      hooks.wait = () => delay(limit + 500);
      expect((await post(impatient, how, randomUUID())).status).toBe(503);
      const queries = ['SELECT "id" FROM "pets"', 'SELECT "hash" FROM "idempotency_keys"'];
      expect(await statements(impatient.databaseUrl, ...queries)).toEqual([[], []]);
    },
  );

  it('concerns no request beside it', async () => {
    let release = () => {};
    hooks.wait = () => new Promise((resolve) => (release = resolve));
    const first = post(service, 'insert after a wait', randomUUID());
    const beside = async () => {
      const others = await Promise.all(Array.from({ length: 50 }, () => post(service, 'insert')));
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 201));
    };
    expect(await added(service, beside)).toEqual({ pets: 50, keys: 0 });
    release();
    expect((await first).status).toBe(201);
  });

  it('stops the start when a handler sends its response itself', async () => {
    await expect(start(SendingThingsModule)).rejects.toThrow(
      'SendingThingsController.add takes @Res() or @Next(), so that nothing checks or sends the response of addThing; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.',
    );
  });

  it('repeats a redirection', async () => {
    const redirecting = await start(RedirectingThingsModule);
    const key = randomUUID();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await post(redirecting, 'insert', key);
      expect([response.status, response.header('location')]).toEqual([303, '/v1/things/1']);
    }
    expect(await rowsOf(redirecting)).toEqual({ pets: 1, keys: 1 });
  });
});
