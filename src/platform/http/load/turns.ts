import { atEndOfTurn, isBehind } from '../../process/end-of-turn.js';
import { isSaturated } from '../../process/large-results.js';
import type { ClientConnection } from './client-connection.js';
import type { Patience } from './patience.js';

/** Milliseconds for which waiting requests start before the work of those that have started continues. */
const MAX_START = 25;

/** Waiting requests that start together: twice as many each time, until they leave reads for later. */
const MAX_BATCH = 1024;

/** Milliseconds after which a database that is saturated is asked again. */
const PAUSE = 5;

/** Connections with a waiting request take turns. */
export class Turns {
  /** In their order. */
  readonly #ready = new Set<ClientConnection>();
  #willStart = false;
  /** How many requests start together. */
  #batch = 1;
  /** Whether it is still unknown if the last batch has left reads for later. */
  #isNewBatch = false;
  /** When the last batch began, as `performance.now()`; 0 if nothing has waited since. */
  #begunAt = 0;
  /** How many requests it served. */
  #served = 0;

  constructor(
    private readonly patience: Patience,
    /** Starts the next request of a connection. False when it did not need to be served. */
    private readonly startNext: (connection: ClientConnection, now: number) => boolean,
  ) {}

  /** How many connections wait for their turn. */
  get count(): number {
    return this.#ready.size;
  }

  /** How many other connections wait for their turn. */
  othersOf(connection: ClientConnection): number {
    return this.#ready.size - (this.#ready.has(connection) ? 1 : 0);
  }

  add(connection: ClientConnection, now: number): void {
    connection.readySince = now;
    this.#ready.add(connection);
    this.#startSoon();
  }

  remove(connection: ClientConnection): void {
    this.#ready.delete(connection);
  }

  #startSoon(): void {
    if (this.#willStart) return;
    this.#willStart = true;
    // At the end of a turn in both cases: a timer would start all requests in the async context of the one that set it.
    const start = () => atEndOfTurn('start', () => this.#start());
    if (isSaturated()) setTimeout(start, PAUSE);
    else start();
  }

  #start(): void {
    this.#willStart = false;
    this.#adaptBatch();
    if (!isBehind()) this.#startBatch();
    if (this.#ready.size > 0) {
      this.#startSoon();
      return;
    }
    this.#begunAt = 0;
    this.patience.reset(performance.now());
  }

  #adaptBatch(): void {
    if (!this.#isNewBatch) return;
    this.#isNewBatch = false;
    this.#batch = isBehind() ? Math.max(1, this.#batch >> 1) : Math.min(this.#batch * 2, MAX_BATCH);
  }

  #startBatch(): void {
    const begin = performance.now();
    if (this.#begunAt > 0) this.patience.addBatch(this.#served, begin - this.#begunAt, begin);
    this.#begunAt = begin;
    let count = 0;
    // Visits connections that become ready meanwhile as well.
    for (const connection of this.#ready) {
      const now = performance.now();
      const isOverdue = this.patience.isExceeded(connection.readySince, now);
      if (((count === this.#batch || isSaturated()) && !isOverdue) || now - begin > MAX_START) break;
      this.#ready.delete(connection);
      this.patience.addTurn(connection.readySince, now);
      if (this.startNext(connection, now)) count += 1;
    }
    this.#isNewBatch = count > 0;
    this.#served = count;
  }
}
