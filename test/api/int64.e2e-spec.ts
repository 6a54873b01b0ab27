import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { createClient } from '../../client/src/client.js';
import { badRequest, bodyOf, CATEGORY_VIOLATED, outcome, petNotFound } from '../properties/outcome.js';
import { nextTarget, storePets } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const EXACT = [
  MIN,
  MIN + 1n,
  -(2n ** 53n + 1n),
  -(2n ** 53n),
  0n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  MAX - 1n,
  MAX,
];

/** The JSON of the pet stored with this id. */
function textOf(id: bigint): string {
  return `{"id":${id},"name":"pet ${id}","categoryId":${-1n - id},"status":"available"}`;
}

describe('a 64-bit categoryId', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const post = (categoryId: string, status = 'sold') =>
    service.api.post('/v1/pets', `{"name":"Rex","categoryId":${categoryId},"status":"${status}"}`);

  it.each(EXACT)('is returned exactly: %s', async (categoryId) => {
    const created = await post(String(categoryId));
    const location = created.header('location')!;
    const pet = `{"id":${location.slice('/v1/pets/'.length)},"name":"Rex","categoryId":${categoryId},"status":"sold"}`;
    expect([created.status, created.text]).toStrictEqual([201, pet]);
    expect((await service.api.get(location)).text).toBe(pet);
    expect((await service.api.get('/v1/pets?limit=100')).text).toContain(pet);
    expect((await service.api.get('/v1/pets?status=sold&limit=100')).text).toContain(pet);
  });

  it.each([
    ['9007199254740993.0', '9007199254740993'],
    ['9.007199254740993e15', '9007199254740993'],
    ['90071992547409930e-1', '9007199254740993'],
    ['0.9007199254740993e16', '9007199254740993'],
    ['9223372036854775807.000', '9223372036854775807'],
    ['9.223372036854775807e18', '9223372036854775807'],
    ['-9.223372036854775808E+18', '-9223372036854775808'],
    ['-9223372036854775808000e-3', '-9223372036854775808'],
    ['1e18', '1000000000000000000'],
  ])('is exact in every JSON notation: %s', async (token, digits) => {
    const response = await post(token);
    expect(response.status).toBe(201);
    expect(response.text).toContain(`,"categoryId":${digits},`);
  });

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    '9223372036854775808.0',
    '9.223372036854775808e18',
    '9223372036854775807.5',
    '18446744073709551615',
    '1.5',
    '-0.1',
    '1e-1',
    '9007199254740993.5',
    '9007199254740993e-1',
    '1.0000000000000000000001',
    '0.99999999999999999999999',
    '1e-400',
    '1e19',
    '1e400',
    '-1e400',
    '"1"',
    '"9007199254740993"',
    '"1.0"',
  ])('is rejected unless it is an int64: %s', async (token) => {
    expect(outcome(await post(token))).toStrictEqual(badRequest(CATEGORY_VIOLATED));
  });
});

describe('a 64-bit id', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
    await storePets(
      service,
      EXACT.map((id) => ({ id, name: `pet ${id}`, categoryId: -1n - id, status: 'available' })),
    );
  });

  it.each(EXACT)('finds its pet: %s', async (id) => {
    const { status, text } = await service.api.get(`/v1/pets/${id}`);
    expect({ status, text }).toStrictEqual({ status: 200, text: textOf(id) });
  });

  it.each([
    MIN - 1n,
    MIN + 2n,
    -(2n ** 53n + 2n),
    -(2n ** 53n - 1n),
    2n ** 53n + 2n,
    2n ** 53n - 2n,
    MAX - 2n,
    MAX + 1n,
  ])('does not find a neighbouring pet: %s', async (id) => {
    expect(outcome(await service.api.get(`/v1/pets/${id}`))).toStrictEqual(petNotFound(id));
  });

  it.each(['/v1/pets', '/v1/pets?limit=100', '/v1/pets?status=available', '/v1/pets?limit=100&status=available'])(
    'is listed exactly, in ascending order: %s',
    async (target) => {
      const { status, text } = await service.api.get(target);
      expect({ status, text }).toStrictEqual({ status: 200, text: `[${EXACT.map(textOf).join(',')}]` });
    },
  );

  it.each([
    [1, ''],
    [1, '&status=available'],
    [2, ''],
    [3, '&status=available'],
    [9, ''],
  ])('starts the next page, in pages of %i%s', async (limit, filter) => {
    const texts: string[] = [];
    let target: string | undefined = `/v1/pets?limit=${limit}${filter}`;
    while (target !== undefined) {
      const response = await service.api.get(target);
      texts.push(response.text.slice(1, -1));
      target = nextTarget(response);
    }
    expect(texts.join(',')).toBe(EXACT.map(textOf).join(','));
    expect(texts).toHaveLength(Math.ceil(EXACT.length / limit));
  });

  it.each([2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, MAX])(
    'is exact in the Location of a creation: %s',
    async (id) => {
      const { app, api } = await startApp();
      await app.get(ServedDatabase).dataSource.query(`INSERT INTO "sequences" VALUES ('pets', ${id - 1n})`);
      const created = await api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect([created.status, created.header('location'), created.text]).toStrictEqual([
        201,
        `/v1/pets/${id}`,
        `{"id":${id},"name":"Rex","categoryId":7}`,
      ]);
    },
  );

  it('cannot be assigned beyond the greatest one: creations get 500, and nothing is stored', async () => {
    const { app, api } = await startApp();
    await app.get(ServedDatabase).dataSource.query(`INSERT INTO "sequences" VALUES ('pets', ${MAX})`);
    expect((await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(500);
    expect((await api.get('/v1/pets')).text).toBe('[]');
  });
});

describe('the typed client', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('sends and reads every 64-bit integer exactly: in the body, the path and the list', async () => {
    const other = await startApp();
    const pets = EXACT.map((id) => ({ id, name: `pet ${id}`, categoryId: -1n - id }));
    await storePets(other, pets);
    // Over fetch, as a caller would.
    const client = createClient({ baseUrl: `${other.baseUrl}/v1`, key: other.key });
    expect(bodyOf(await client.listPets())).toStrictEqual(pets);
    for (const pet of pets) expect(bodyOf(await client.getPet({ path: { petId: pet.id } }))).toStrictEqual(pet);
  });

  it.each(EXACT)('sends and reads the categoryId %s exactly', async (categoryId) => {
    const { api } = service;
    const { id, ...pet } = bodyOf(await api.call.createPet({ body: { name: 'Rex', categoryId } }));
    expect(pet).toStrictEqual({ name: 'Rex', categoryId });
    // Read as text, independently of the client.
    expect((await api.get(`/v1/pets/${id}`)).text).toBe(`{"id":${id},"name":"Rex","categoryId":${categoryId}}`);
  });

  it.each([MIN - 1n, MAX + 1n])('sends %s, which the service rejects', async (categoryId) => {
    const response = await service.api.call.createPet({ body: { name: 'Rex', categoryId } });
    expect(outcome(response)).toStrictEqual(badRequest(CATEGORY_VIOLATED));
  });
});
