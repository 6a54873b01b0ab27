import { OrderRecord } from './order-record.js';

/** An order in a response or a row. */
export interface SeenOrder {
  readonly id: number;
  readonly token: string;
  readonly stockId: number;
  readonly version: number;
  readonly note: string;
  readonly state: string;
}

/** The number of requests that ended in each way. */
type Tally = Record<string, number>;

/**
 * Everything that clients sent and learned. Each method takes the time at which its request was sent, and throws when a
 * response contradicts what any client knew by then: all of them share one clock.
 */
export class Ledger {
  readonly tally: Tally = {};
  readonly orders: OrderRecord[] = [];
  readonly #byToken = new Map<string, OrderRecord>();
  readonly #byId = new Map<number, OrderRecord>();
  /** Of orders whose shipping was acknowledged. */
  readonly parcels: { readonly id: number; readonly orderId: number }[] = [];
  readonly #parcelIds = new Set<number>();
  #time = 0;
  #greatestId = 0;

  now(): number {
    return (this.#time += 1);
  }

  count(outcome: string): void {
    this.tally[outcome] = (this.tally[outcome] ?? 0) + 1;
  }

  /** An order that is about to be created. */
  next(stockId: number): OrderRecord {
    const record = new OrderRecord(`order-${this.orders.length}`, stockId);
    this.orders.push(record);
    this.#byToken.set(record.token, record);
    return record;
  }

  see(order: SeenOrder, sentAt: number): OrderRecord {
    const record = this.#byToken.get(order.token);
    if (!record) throw new Error(`${JSON.stringify(order)} was never sent`);
    this.#identify(record, order.id);
    const must = (isTrue: boolean, what: string): void => {
      if (!isTrue) throw new Error(`${what}: ${JSON.stringify({ seen: order, known: record, sentAt })}`);
    };
    must(order.stockId === record.stockId, 'The order has another stock');
    must(record.deletedAt >= sentAt, 'A deleted order is back');
    must(order.version >= record.versionAt(sentAt), 'The order is older than one that was seen');
    must(order.version <= record.sentVersion, 'The order has a version that nobody sent');
    must(order.note === record.noteOf(order.version), 'The order has the note of another version');
    if (order.state === 'shipped') must(record.shipAttempts > 0, 'Nobody shipped the order');
    else must(record.shippedAt >= sentAt, 'A shipped order is open again');
    record.hasVersion(order.version, this.now());
    if (order.state === 'shipped') this.#ship(record);
    return record;
  }

  /** `ownAttempts` is 1 for the response to a deletion. */
  seeMissing(record: OrderRecord, ownAttempts = 0): void {
    if (record.deleteAttempts <= ownAttempts) throw new Error(`A stored order is missing: ${JSON.stringify(record)}`);
    this.#delete(record);
  }

  /** All orders from an id on in a state; `limit` is that of the page. */
  seePage(page: readonly SeenOrder[], from: number, state: string, limit: number, sentAt: number): void {
    const seen = new Set(page.map((order) => this.see(order, sentAt)));
    const isSorted = page.every(({ id }, index) => id >= from && (index === 0 || id > page[index - 1]!.id));
    if (!isSorted || page.length > limit) throw new Error(`The page from ${from} is wrong: ${JSON.stringify(page)}`);
    const to = page.length === limit ? page.at(-1)!.id : this.#greatestId;
    for (let id = from; id <= to; id += 1) {
      const record = this.#byId.get(id);
      if (!record || seen.has(record) || record.createdAt >= sentAt) continue;
      const isOpen = record.shipAttempts === 0 && record.deleteAttempts === 0;
      if (state === 'open' ? isOpen : record.shippedAt < sentAt) {
        throw new Error(`The page from ${from} to ${to} lacks an order: ${JSON.stringify({ record, page, sentAt })}`);
      }
    }
  }

  created(record: OrderRecord, order: SeenOrder, sentAt: number): void {
    if (record.token !== order.token) throw new Error(`Another order was created: ${JSON.stringify(order)}`);
    if (record.id !== undefined && record.id !== order.id) throw new Error(`It is stored twice: ${record.token}`);
    this.see(order, sentAt);
    record.createdAt = this.now();
  }

  changed(record: OrderRecord, version: number, sentAt: number): void {
    if (record.shippedAt < sentAt || record.deletedAt < sentAt || version <= record.versionAt(sentAt)) {
      throw new Error(`The order should not change: ${JSON.stringify({ record, version, sentAt })}`);
    }
    record.hasVersion(version, this.now());
  }

  shipped(record: OrderRecord, parcelId: number, sentAt: number): void {
    if (record.shippedAt < sentAt || record.parcelId !== undefined || this.#parcelIds.has(parcelId)) {
      throw new Error(`The order is shipped twice: ${JSON.stringify({ record, parcelId, sentAt })}`);
    }
    this.#ship(record);
    record.parcelId = parcelId;
    this.#parcelIds.add(parcelId);
    // It has an id since the ledger has seen it.
    this.parcels.push({ id: parcelId, orderId: record.id! });
  }

  deleted(record: OrderRecord, sentAt: number): void {
    if (record.deletedAt < sentAt) throw new Error(`The order is deleted twice: ${JSON.stringify(record)}`);
    this.#delete(record);
  }

  #ship(record: OrderRecord): void {
    record.shippedAt = Math.min(record.shippedAt, this.now());
    if (record.deletedAt < Infinity) throw new Error(`A deleted order was shipped: ${JSON.stringify(record)}`);
  }

  #delete(record: OrderRecord): void {
    record.deletedAt = Math.min(record.deletedAt, this.now());
    if (record.shippedAt < Infinity) throw new Error(`A shipped order was deleted: ${JSON.stringify(record)}`);
  }

  #identify(record: OrderRecord, id: number): void {
    const other = this.#byId.get(id);
    if ((other && other !== record) || (record.id !== undefined && record.id !== id)) {
      throw new Error(`The id ${id} is used twice: ${JSON.stringify([record, other])}`);
    }
    record.id = id;
    this.#byId.set(id, record);
    this.#greatestId = Math.max(this.#greatestId, id);
  }
}
