import { beforeAll, describe, expect, it } from '@jest/globals';
import { badRequest, NO_BODY, outcome, rejection } from '../../properties/outcome.js';
import { addPet, storePets } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { TWO_LEASHES } from './orders.js';

const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';
const NAME = 'must be a string of at most 200 characters, without NUL';
const PRICE = 'must be a decimal with two places, such as 249.90';
const UTC_TIME = 'must be a time in UTC, such as 2030-12-05T10:30:00Z';
const EMAIL = 'must be an email address of at most 254 characters';

describe('POST /orders', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
    await addPet(service.api);
  });

  const post = async (order: object) =>
    outcome(await service.api.post('/v1/orders', { petId: 1, ...TWO_LEASHES, ...order }));

  it('places the order, and returns where it is', async () => {
    const created = await service.api.call.createOrder({ body: { petId: 1n, ...TWO_LEASHES, extras: [] } });
    if (created.status !== 201) throw new Error(created.body.message);
    const { body, headers } = created;
    expect(body).toStrictEqual({ id: body.id, status: 'placed', petId: 1n, ...TWO_LEASHES, extras: [] });
    expect(headers.get('Location')).toBe(`/v1/orders/${body.id}`);
    expect((await service.api.call.getOrder({ path: { orderId: body.id } })).body).toStrictEqual(body);
  });

  it.each<[string, object]>([
    ['the longest texts', { customer: { name: '🦊'.repeat(200), email: `a@${'b.'.repeat(125)}cc` } }],
    ['the most extras', { extras: Array.from({ length: 20 }, () => ({ name: '', quantity: 100 })) }],
    ['the lowest price', { price: '0.00' }],
    ['the highest price', { price: '99999999.99' }],
    ['the first time', { deliverBy: '1000-01-01T00:00:00.001Z' }],
    ['the last time', { deliverBy: '9999-12-31T23:59:59.999Z' }],
  ])('keeps %s', async (_, order) => {
    const created = await post(order);
    expect(created).toMatchObject({ status: 201, body: order });
    const { id } = created.body as { id: number };
    expect(outcome(await service.api.get(`/v1/orders/${id}`))).toStrictEqual({ status: 200, body: created.body });
  });

  it('adds zeros to a time without milliseconds', async () => {
    const created = await post({ deliverBy: '2030-12-05T10:30:00Z' });
    expect(created).toMatchObject({ status: 201, body: { deliverBy: '2030-12-05T10:30:00.000Z' } });
  });

  it('accepts every id of a pet', async () => {
    const extremes = await startApp();
    const ids = [-(2n ** 63n), 2n ** 63n - 1n];
    await storePets(extremes, [
      { id: ids[0]!, name: 'First', categoryId: 1 },
      { id: ids[1]!, name: 'Last', categoryId: 1 },
    ]);
    for (const petId of ids) {
      const { body } = await extremes.api.call.createOrder({ body: { petId, ...TWO_LEASHES, extras: [] } });
      expect(body).toMatchObject({ petId });
    }
  });

  it('returns 422 when no pet has the id, and stores nothing', async () => {
    const { api } = await startApp();
    const message = 'petId must be the id of a pet; no pet has the id 42.';
    const response = await api.post('/v1/orders', { petId: 42, ...TWO_LEASHES });
    expect(outcome(response)).toStrictEqual(rejection(422, 'UNKNOWN_PET', message));
    expect((await api.get('/v1/orders')).json).toStrictEqual([]);
  });

  it.each<[object, string]>([
    [{ petId: undefined }, 'petId is required'],
    [{ petId: null }, `petId ${INT64}`],
    [{ petId: '1' }, `petId ${INT64}`],
    [{ petId: 2n ** 63n }, `petId ${INT64}`],
    [{ petId: -(2n ** 63n) - 1n }, `petId ${INT64}`],
    [{ customer: undefined }, 'customer is required'],
    [{ customer: null }, 'customer must be an object'],
    [{ customer: 'Ada' }, 'customer must be an object'],
    [{ customer: { name: 'Ada' } }, 'customer.email is required'],
    [{ customer: { name: 'A\0', email: 'ada@example.com' } }, `customer.name ${NAME}`],
    [{ customer: { name: 'x'.repeat(201), email: 'ada' } }, `customer.name ${NAME}; customer.email ${EMAIL}`],
    [{ extras: undefined }, 'extras is required'],
    [{ extras: null }, 'extras must be an array of at most 20 items'],
    [{ extras: {} }, 'extras must be an array of at most 20 items'],
    [
      { extras: Array.from({ length: 21 }, () => ({ name: '', quantity: 1 })) },
      'extras must be an array of at most 20 items',
    ],
    [{ extras: [{ name: 'Leash', quantity: 0 }] }, 'extras.0.quantity must be an integer from 1 to 100'],
    [{ price: undefined }, 'price is required'],
    [{ price: null }, `price ${PRICE}`],
    [{ price: 249.9 }, `price ${PRICE}`],
    [{ price: '249.9' }, `price ${PRICE}`],
    [{ price: '100000000.00' }, `price ${PRICE}`],
    [{ deliverBy: undefined }, 'deliverBy is required'],
    [{ deliverBy: null }, `deliverBy ${UTC_TIME}`],
    [{ deliverBy: 1 }, `deliverBy ${UTC_TIME}`],
    [{ deliverBy: '2030-02-29T10:30:00Z' }, `deliverBy ${UTC_TIME}`],
    [{ deliverBy: '2030-12-05T10:30:00+01:00' }, `deliverBy ${UTC_TIME}`],
    [{ deliverBy: '2030-12-05T10:30:00.0001Z' }, `deliverBy ${UTC_TIME}`],
  ])('rejects %j', async (order, message) => {
    expect(await post(order)).toStrictEqual(badRequest(message));
  });

  it('rejects a missing body', async () => {
    expect(outcome(await service.api.request('POST', '/v1/orders'))).toStrictEqual(NO_BODY);
  });
});
