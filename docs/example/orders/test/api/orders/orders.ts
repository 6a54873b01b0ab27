import type { Schemas } from '../../../client/src/client.js';
import { bodyOf } from '../../properties/outcome.js';
import { addPet, idOf } from '../../support/pets.js';
import type { Client } from '../../support/http/client.js';

export type Order = Schemas['Order'];
export type NewOrder = Schemas['NewOrder'];

/** An order without its pet. */
export const TWO_LEASHES = {
  customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  extras: [{ name: 'Leash', quantity: 2 }],
  price: '249.90',
  deliverBy: '2030-12-05T10:30:00.000Z',
} as const;

/** Adds a pet, and an order of it. */
export async function addOrder(api: Client, order: Partial<NewOrder> = {}): Promise<Order> {
  const petId = order.petId ?? BigInt(idOf(await addPet(api, { status: 'available' })));
  return bodyOf(await api.call.createOrder({ body: { ...TWO_LEASHES, extras: [], ...order, petId } }));
}

/** An order that can be shipped. */
export async function addApprovedOrder(api: Client, order?: Partial<NewOrder>): Promise<Order> {
  const { id } = await addOrder(api, order);
  return bodyOf(await api.call.changeOrder({ path: { orderId: id }, body: { status: 'approved' } }));
}
