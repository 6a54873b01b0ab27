import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../support/http/client.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { STOCKS } from '../shop/shop-data-source.js';
import type { Ledger, SeenOrder } from './ledger.js';
import type { OrderRecord } from './order-record.js';

/** Milliseconds between two requests, at most. */
const PAUSE = 30;
/** Milliseconds for which every fourth transaction waits, at most. */
const WAIT = 25;
/** Orders that clients like to meet at, which were created last. */
const RECENT = 60;
const LOST = new Set(['ECONNRESET', 'EPIPE']);
/** Milliseconds before the next request when a replica is down. */
const DOWN = 100;

/** A client that creates, changes, ships, deletes and reads orders, its own and those of others. */
export class Customer {
  #own: OrderRecord[] = [];

  constructor(
    private readonly ledger: Ledger,
    /** Another replica of the service each time; undefined when it is dead. */
    private readonly nextReplica: () => Client | undefined,
  ) {}

  async work(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await this.#act();
      await delay(Math.random() * PAUSE);
    }
  }

  #act(): Promise<void> {
    const chance = Math.random();
    const own = this.#ofOwn();
    const order = chance % 0.1 < 0.06 ? own : this.#ofAll();
    if (!own || !order || chance < 0.25) return this.#create();
    if (chance < 0.4) return this.#change(own);
    if (chance < 0.55) return this.#ship(order);
    if (chance < 0.62) return this.#delete(order);
    if (chance < 0.8) return this.#get(order);
    return chance < 0.92 ? this.#list(order) : this.#getParcel();
  }

  async #create(): Promise<void> {
    const record = this.ledger.next(1 + Math.floor(Math.random() * STOCKS));
    const sentAt = this.ledger.now();
    const { token, stockId } = record;
    const response = await this.#send('POST', '/orders', [201], { token, stockId });
    if (!response) return;
    this.ledger.created(record, response.json as SeenOrder, sentAt);
    // It may be the last one, whose id the next one must not get.
    if (Math.random() < 0.2) await this.#delete(record);
    else this.#own.push(record);
  }

  /** Only its own orders: a conflict would not tell who was first. */
  async #change(record: OrderRecord): Promise<void> {
    const sentAt = this.ledger.now();
    const version = record.versionAt(sentAt);
    const mayHaveChanged = record.sentVersion > version;
    record.sentVersion = version + 1;
    const change = { version, note: record.noteOf(version + 1) };
    const response = await this.#send('PATCH', `/orders/${record.id}`, [204, 404, 409], change);
    if (response?.status === 204) this.ledger.changed(record, version + 1, sentAt);
    else if (response?.status === 404) this.ledger.seeMissing(record);
    else if (response?.status === 409) {
      if (!mayHaveChanged && record.shipAttempts === 0)
        throw new Error(`No reason to refuse ${JSON.stringify(record)}`);
      await this.#get(record);
    }
  }

  async #ship(record: OrderRecord): Promise<void> {
    const sentAt = this.ledger.now();
    record.shipAttempts += 1;
    const wait = Math.random() < 0.25 ? Math.floor(Math.random() * WAIT) : 0;
    const response = await this.#send('POST', `/orders/${record.id}/ship?wait=${wait}`, [200, 404, 409]);
    if (response?.status === 200) this.ledger.shipped(record, (response.json as { id: number }).id, sentAt);
    else if (response?.status === 404) this.ledger.seeMissing(record);
    else if (response?.status === 409 && record.shipAttempts === 1)
      throw new Error(`No reason to refuse ${JSON.stringify(record)}`);
  }

  async #delete(record: OrderRecord): Promise<void> {
    const sentAt = this.ledger.now();
    record.deleteAttempts += 1;
    const response = await this.#send('DELETE', `/orders/${record.id}`, [204, 404, 409]);
    if (response?.status === 204) this.ledger.deleted(record, sentAt);
    else if (response?.status === 404) this.ledger.seeMissing(record, 1);
    else if (response?.status === 409 && record.shipAttempts === 0)
      throw new Error(`No reason to refuse ${JSON.stringify(record)}`);
  }

  async #get(record: OrderRecord): Promise<void> {
    const sentAt = this.ledger.now();
    const response = await this.#send('GET', `/orders/${record.id}`, [200, 404]);
    if (response?.status === 200) this.ledger.see(response.json as SeenOrder, sentAt);
    else if (response) this.ledger.seeMissing(record);
  }

  async #list({ id }: OrderRecord): Promise<void> {
    const sentAt = this.ledger.now();
    const state = Math.random() < 0.5 ? 'open' : 'shipped';
    const response = await this.#send('GET', `/orders?from=${id}&state=${state}&limit=20`, [200]);
    if (response) this.ledger.seePage(response.json as SeenOrder[], id!, state, 20, sentAt);
  }

  async #getParcel(): Promise<void> {
    const parcel = this.ledger.parcels.at(-1 - Math.floor(Math.random() * RECENT));
    const response = parcel && (await this.#send('GET', `/parcels/${parcel.id}`, [200]));
    if (response && (response.json as typeof parcel).orderId !== parcel.orderId) {
      throw new Error(`${JSON.stringify(parcel)} was acknowledged, not ${response.text}`);
    }
  }

  /** Undefined when the outcome is unknown: it was carried out or not, or still is. */
  async #send(
    method: string,
    target: string,
    expected: readonly number[],
    body?: object,
  ): Promise<HttpResponse | undefined> {
    const operation = target.includes('/ship') ? 'ship' : method;
    const replica = this.nextReplica();
    if (!replica) {
      await delay(DOWN);
      return undefined;
    }
    try {
      const response = await replica.request(method, `/v1${target}`, body && { body });
      this.ledger.count(`${operation} ${response.status}`);
      if (expected.includes(response.status)) return response;
      if (response.status !== 503) throw new Error(`${method} ${target}: ${response.status} ${response.text}`);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') await delay(DOWN);
      else if (LOST.has(code)) this.ledger.count(`${operation} lost`);
      else throw error;
    }
    return undefined;
  }

  #ofOwn(): OrderRecord | undefined {
    // Some that are over remain, to be refused.
    if (this.#own.length > 8) this.#own = this.#own.filter((record) => !record.isOver || Math.random() < 0.2).slice(-8);
    return this.#own[Math.floor(Math.random() * this.#own.length)];
  }

  #ofAll(): OrderRecord | undefined {
    const record = this.ledger.orders.at(-1 - Math.floor(Math.random() * RECENT));
    return record?.id === undefined ? this.#ofOwn() : record;
  }
}
