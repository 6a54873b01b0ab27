import { beforeAll, describe, expect, it } from '@jest/globals';
import { badRequest, CURSOR_VIOLATED, LIMIT_VIOLATED, outcome } from '../../properties/outcome.js';
import { nextTarget } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { addApprovedOrder, addOrder } from './orders.js';

const STATUS_VIOLATED = 'status must be one of placed, approved, shipped, cancelled';
const time = (day: number) => `2030-12-${String(day).padStart(2, '0')}T10:30:00.000Z`;

describe('GET /orders', () => {
  let service: StartedApp;

  /** Orders 1 to 6, to be delivered on six days, the last one first. */
  beforeAll(async () => {
    service = await startApp();
    const { api } = service;
    for (const day of [6, 5, 4]) await addOrder(api, { deliverBy: time(day) });
    for (const day of [3, 2, 1]) await addApprovedOrder(api, { deliverBy: time(day) });
    await api.call.shipOrder({ path: { orderId: 5n } });
    await api.call.changeOrder({ path: { orderId: 6n }, body: { status: 'cancelled' } });
  });

  const list = async (query: string) => {
    const { status, json } = await service.api.get(`/v1/orders${query}`);
    return { status, ids: (json as { id: number }[]).map(({ id }) => id) };
  };

  it.each([
    ['', [1, 2, 3, 4, 5, 6]],
    ['?limit=1', [1]],
    ['?limit=100', [1, 2, 3, 4, 5, 6]],
    ['?status=placed', [1, 2, 3]],
    ['?status=approved', [4]],
    ['?status=shipped', [5]],
    ['?status=cancelled', [6]],
    [`?deliverFrom=${time(4)}`, [1, 2, 3]],
    [`?deliverBefore=${time(4)}`, [4, 5, 6]],
    [`?deliverFrom=${time(2)}&deliverBefore=${time(5)}`, [3, 4, 5]],
    [`?deliverFrom=${time(2)}&deliverBefore=${time(5)}&status=placed`, [3]],
    [`?deliverFrom=${time(5)}&deliverBefore=${time(2)}`, []],
  ])('with the query "%s" lists %j', async (query, ids) => {
    expect(await list(query)).toStrictEqual({ status: 200, ids });
  });

  it('leads through all pages, with the same filter', async () => {
    const ids: number[] = [];
    let target: string | undefined = `/v1/orders?limit=2&deliverFrom=${time(2)}`;
    while (target !== undefined) {
      const response = await service.api.get(target);
      const page = response.json as { id: number }[];
      expect(page.length).toBeLessThanOrEqual(2);
      ids.push(...page.map(({ id }) => id));
      target = nextTarget(response);
    }
    expect(ids).toStrictEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['limit=0', LIMIT_VIOLATED],
    ['limit=101', LIMIT_VIOLATED],
    ['limit=many', LIMIT_VIOLATED],
    ['status=lost', STATUS_VIOLATED],
    ['deliverFrom=today', 'deliverFrom must be a time in UTC, such as 2030-12-05T10:30:00Z'],
    ['cursor=3', CURSOR_VIOLATED],
    ['cursor=3-0', CURSOR_VIOLATED],
  ])('rejects the query %s', async (query, message) => {
    expect(outcome(await service.api.get(`/v1/orders?${query}`))).toStrictEqual(badRequest(message));
  });
});
