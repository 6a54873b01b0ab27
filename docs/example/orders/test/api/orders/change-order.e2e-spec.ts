import { beforeAll, describe, expect, it } from '@jest/globals';
import { badRequest, NO_BODY, outcome, rejection } from '../../properties/outcome.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { addApprovedOrder, addOrder } from './orders.js';

type Status = 'placed' | 'approved' | 'shipped' | 'cancelled';

const STATUS_VIOLATED = 'status must be one of placed, approved, shipped, cancelled';
const TIME_VIOLATED = 'deliverBy must be a time in UTC, such as 2030-12-05T10:30:00Z';
const conflict = (message: string) => rejection(409, 'ORDER_CONFLICT', message);

describe('an order', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  /** The id of a new order with a status. */
  async function orderWith(status: Status): Promise<bigint> {
    const { call } = service.api;
    const { id: orderId } = await (status === 'placed' ? addOrder(service.api) : addApprovedOrder(service.api));
    if (status === 'cancelled') await call.changeOrder({ path: { orderId }, body: { status } });
    if (status === 'shipped') await call.shipOrder({ path: { orderId } });
    return orderId;
  }
  const get = async (orderId: bigint) => outcome(await service.api.call.getOrder({ path: { orderId } }));

  it.each<[Status, Status]>([
    ['placed', 'placed'],
    ['placed', 'approved'],
    ['placed', 'cancelled'],
    ['approved', 'cancelled'],
    ['shipped', 'shipped'],
  ])('that is %s may become %s', async (from, status) => {
    const orderId = await orderWith(from);
    const changed = outcome(await service.api.call.changeOrder({ path: { orderId }, body: { status } }));
    expect(changed).toMatchObject({ status: 200, body: { id: orderId, status } });
    expect(await get(orderId)).toStrictEqual(changed);
  });

  it.each<[Status, Status]>([
    ['placed', 'shipped'],
    ['approved', 'placed'],
    ['shipped', 'cancelled'],
    ['cancelled', 'approved'],
  ])('that is %s never becomes %s', async (from, status) => {
    const orderId = await orderWith(from);
    const body = { status, deliverBy: '2031-01-01T00:00:00.000Z' };
    const changed = await service.api.call.changeOrder({ path: { orderId }, body });
    expect(outcome(changed)).toStrictEqual(conflict(`Order ${orderId} is ${from} and cannot become ${status}.`));
    expect(await get(orderId)).toMatchObject({ body: { status: from, deliverBy: '2030-12-05T10:30:00.000Z' } });
  });

  it('keeps the members that are not sent', async () => {
    const order = await addApprovedOrder(service.api);
    const [path, deliverBy] = [{ orderId: order.id }, '2031-01-01T00:00:00.000Z'];
    const expected = { status: 200, body: { ...order, deliverBy } };
    expect(outcome(await service.api.call.changeOrder({ path, body: { deliverBy } }))).toStrictEqual(expected);
    expect(outcome(await service.api.call.changeOrder({ path, body: {} }))).toStrictEqual(expected);
  });

  it.each<[object, string]>([
    [{ status: null }, STATUS_VIOLATED],
    [{ status: 'lost' }, STATUS_VIOLATED],
    [{ deliverBy: null }, TIME_VIOLATED],
    [{ deliverBy: 5 }, TIME_VIOLATED],
  ])('rejects the change %j', async (body, message) => {
    const orderId = await orderWith('placed');
    const response = await service.api.request('PATCH', `/v1/orders/${orderId}`, { body });
    expect(outcome(response)).toStrictEqual(badRequest(message));
  });

  it('rejects a change without a body', async () => {
    const orderId = await orderWith('placed');
    expect(outcome(await service.api.request('PATCH', `/v1/orders/${orderId}`))).toStrictEqual(NO_BODY);
  });

  it.each<Status>(['placed', 'approved', 'cancelled'])('that is %s can be deleted', async (status) => {
    const orderId = await orderWith(status);
    expect((await service.api.call.deleteOrder({ path: { orderId } })).status).toBe(204);
    expect(await get(orderId)).toMatchObject({ status: 404 });
    expect((await service.api.call.deleteOrder({ path: { orderId } })).status).toBe(404);
  });

  it('that is shipped cannot be deleted', async () => {
    const orderId = await orderWith('shipped');
    const deleted = await service.api.call.deleteOrder({ path: { orderId } });
    expect(outcome(deleted)).toStrictEqual(conflict(`Order ${orderId} is shipped and cannot be deleted.`));
    expect(await get(orderId)).toMatchObject({ status: 200 });
  });

  it('that was deleted never gives its id to another one', async () => {
    const orderId = await orderWith('placed');
    await service.api.call.deleteOrder({ path: { orderId } });
    expect((await addOrder(service.api)).id).toBe(orderId + 1n);
  });
});
