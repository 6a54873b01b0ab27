export enum OrderStatus {
  placed = 'placed',
  approved = 'approved',
  shipped = 'shipped',
  cancelled = 'cancelled',
}

/** What a client may change a status to. An order is shipped only together with its pet. */
const NEXT: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  placed: [OrderStatus.approved, OrderStatus.cancelled],
  approved: [OrderStatus.cancelled],
  shipped: [],
  cancelled: [],
};

/** A status that the order has already changes nothing: a client may repeat its request. */
export function mayBecome(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || NEXT[from].includes(to);
}
