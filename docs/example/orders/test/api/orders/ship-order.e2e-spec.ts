import { beforeAll, describe, expect, it } from '@jest/globals';
import { outcome, rejection } from '../../properties/outcome.js';
import { addPet, idOf } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { addApprovedOrder, addOrder } from './orders.js';

describe('POST /orders/{orderId}/ship', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const ship = async (orderId: bigint) => outcome(await service.api.call.shipOrder({ path: { orderId } }));
  const petOf = async (petId: bigint) => (await service.api.call.getPet({ path: { petId } })).body;

  it.each([{ status: 'available' } as const, { status: 'pending' } as const, {}])(
    'makes the order shipped and its pet, which was %j, sold',
    async (pet) => {
      const petId = BigInt(idOf(await addPet(service.api, pet)));
      const order = await addApprovedOrder(service.api, { petId });
      const shipped = { status: 200, body: { ...order, status: 'shipped' } };
      expect(await ship(order.id)).toStrictEqual(shipped);
      expect(outcome(await service.api.call.getOrder({ path: { orderId: order.id } }))).toStrictEqual(shipped);
      expect(await petOf(petId)).toStrictEqual({ id: petId, name: 'Rex', categoryId: 7n, status: 'sold' });
    },
  );

  it('changes neither when the order is not approved', async () => {
    const { id, petId } = await addOrder(service.api);
    const message = `Order ${id} is placed and cannot be shipped.`;
    expect(await ship(id)).toStrictEqual(rejection(409, 'ORDER_CONFLICT', message));
    expect(await petOf(petId)).toMatchObject({ status: 'available' });
  });

  it('changes neither when the pet is sold already', async () => {
    const { id: other, petId } = await addApprovedOrder(service.api);
    const { id } = await addApprovedOrder(service.api, { petId });
    await ship(other);
    expect(await ship(id)).toStrictEqual(rejection(409, 'PET_SOLD', `Pet ${petId} is sold already.`));
    const { body } = await service.api.call.getOrder({ path: { orderId: id } });
    expect(body).toMatchObject({ status: 'approved' });
  });

  it('sells a pet only once, however many orders of it are shipped at the same time', async () => {
    const petId = BigInt(idOf(await addPet(service.api)));
    const orders = [];
    for (let count = 0; count < 8; count += 1) orders.push(await addApprovedOrder(service.api, { petId }));
    const outcomes = await Promise.all(orders.map(({ id }) => ship(id)));
    expect(outcomes.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      200,
      ...orders.slice(1).map(() => 409),
    ]);
  });
});
