import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { closeDatabase } from '../support/outages.js';
import { nextTarget } from '../support/pets.js';
import type { HttpResponse } from '../support/http/http-response.js';
import type { RequestOptions } from '../support/http/client.js';
import { startApp, type StartedApp } from '../support/start-app.js';

type Request = readonly [method: string, target: string, options?: RequestOptions];

/** Everything that a caller receives, except the date and the id of the request. */
function received({ status, rawHeaders, bytes }: HttpResponse) {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!['Date', 'X-Request-Id'].includes(rawHeaders[index]!))
      headers.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return { status, headers, bytes: bytes.toString('latin1') };
}

const create = (body: unknown, options: RequestOptions = {}): Request => ['POST', '/v1/pets', { ...options, body }];
const get = (target: string, options?: RequestOptions): Request => ['GET', target, options];

const INTEGERS = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '-9007199254740993',
  '0',
  '-0',
  '-0.0',
  '1e2',
  '100e-2',
  '9.223372036854775807e18',
];
const NAMES = [
  '',
  ' ',
  '  Rex  ',
  '🦊👩🏽‍🚀',
  'e\u0301',
  '\u00e9',
  'שלום \u202e',
  '\u{10ffff}',
  '\ufffe\uffff',
  '\ufeff',
  'a\nb\r\nc\u2028\u2029\u0085',
  '\u0001\u001f\u007f\u009f',
  String.raw`"\'/\"`,
  `'); DROP TABLE "pets"; --`,
  String.raw`\x41 {1,"2"} $1 E'\\'`,
  'x'.repeat(50_000),
];

const CREATIONS: Request[] = [
  ...INTEGERS.map((integer) => create(`{"name":"Rex","categoryId":${integer}}`)),
  ...NAMES.map((name) => create({ name, categoryId: 7 })),
  ...['available', 'pending', 'sold', 'available'].map((status) => create({ name: status, categoryId: 7, status })),
  create('{"id":999,"owner":null,"name":"Rex","categoryId":7,"status":"sold"}'),
];

const READS: Request[] = [
  ...['', '?limit=1', '?limit=100', '?status=available', '?status=sold&limit=2', '?limit=7&status=pending'].map(
    (query) => get(`/v1/pets${query}`),
  ),
  ...['1', '2', '27', '9223372036854775807', '-9223372036854775808', '0', '-1', '31', '32'].map((id) =>
    get(`/v1/pets/${id}`),
  ),
  ['HEAD', '/v1/pets?limit=3'],
  ['HEAD', '/v1/pets/1'],
];

const REJECTED: Request[] = [
  create(''),
  create('{'),
  create('[]'),
  create('null'),
  create('{"name":"Rex"}'),
  create('{"categoryId":7}'),
  create('{"name":"a","name":"b","categoryId":7}'),
  create('{"name":"Rex","categoryId":9223372036854775808}'),
  create('{"name":"Rex","categoryId":-9223372036854775809}'),
  create('{"name":"Rex","categoryId":"7"}'),
  create('{"name":"Rex","categoryId":1.5}'),
  create('{"name":"Rex","categoryId":7,"status":"lost"}'),
  create('{"name":"Rex","categoryId":7,"status":null}'),
  create(String.raw`{"name":"\u0000","categoryId":7}`),
  create(String.raw`{"name":"\ud800","categoryId":7}`),
  create(Buffer.from([0x22, 0xff, 0x22])),
  create({ name: 'x'.repeat(110_000), categoryId: 7 }),
  create('{}', { headers: { 'content-type': 'text/plain' } }),
  create('{}', { headers: { 'content-encoding': 'gzip' } }),
  create('{}', { key: null }),
  create('{}', { key: 'wrong' }),
  ['POST', '/v1/pets'],
  get('/v1/pets', { key: null }),
  get('/v1/pets', { key: 'wrong' }),
  get('/v1/pets/1', { key: null }),
  ...['limit=0', 'limit=101', 'limit=x', 'status=lost', 'status=', 'cursor=1', 'cursor=x-y', 'limit=1&limit=2'].map(
    (query) => get(`/v1/pets?${query}`),
  ),
  ...['9223372036854775808', 'x', '1.0', '%00', '01', ''].map((id) => get(`/v1/pets/${id}`)),
  get('/v1/dogs'),
  get(`/v1/pets?${'x'.repeat(20_000)}`),
  ['DELETE', '/v1/pets'],
  ['PUT', '/v1/pets/1', { body: '{}' }],
  ['OPTIONS', '/v1/pets'],
];

const OTHERS: Request[] = ['/live', '/ready', '/openapi.yaml', '/openapi.json', '/docs'].map((path) => get(path));

const OPERATIONS: Request[] = [
  get('/v1/pets'),
  get('/v1/pets?status=sold'),
  get('/v1/pets/1'),
  create({ name: 'Rex', categoryId: 7 }),
];

describe('SQLite and PostgreSQL', () => {
  let services: StartedApp[];

  const send = ([method, target, options]: Request): Promise<HttpResponse[]> =>
    Promise.all(services.map(({ api }) => api.request(method, target, options)));

  async function expectSame(request: Request): Promise<HttpResponse> {
    const [one, other] = await send(request);
    expect(received(other!)).toStrictEqual(received(one!));
    return other!;
  }

  beforeAll(async () => {
    services = [await startApp({}, { engine: 'sqlite' }), await startApp({}, { engine: 'postgres' })];
  });

  it('return the same bytes for creations', async () => {
    for (const request of CREATIONS) expect((await expectSame(request)).status).toBe(201);
  });

  it('return the same bytes for reads', async () => {
    for (const request of READS) await expectSame(request);
  });

  it.each(['limit=1', 'limit=7', 'limit=1&status=available', 'limit=20&status=sold', 'limit=100'])(
    'return the same bytes for each page with %s',
    async (query) => {
      for (let next: string | undefined = `/v1/pets?${query}`; next !== undefined;) {
        next = nextTarget(await expectSame(get(next)));
      }
    },
  );

  it('return the same bytes for rejected requests', async () => {
    for (const request of REJECTED) {
      const { status } = await expectSame(request);
      if (request[0] !== 'OPTIONS') expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  it('return the same bytes for health, contract and documentation', async () => {
    for (const request of OTHERS) await expectSame(request);
  });

  it('return the same bytes for internal errors', async () => {
    for (const { app } of services)
      await app.get(ServedDatabase).dataSource.query('ALTER TABLE "pets" RENAME TO "hidden"');
    for (const request of OPERATIONS) expect((await expectSame(request)).status).toBe(500);
  });

  it('return the same bytes while the database is closed', async () => {
    for (const service of services) await closeDatabase(service);
    for (const request of [...OPERATIONS, get('/ready')]) expect((await expectSame(request)).status).toBe(503);
  });
});
