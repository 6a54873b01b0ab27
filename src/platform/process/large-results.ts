import { addLargeResult, leaveForLater } from './end-of-turn.js';

/** Bytes from which a result is large. */
export const LARGE_RESULT = 65_536;

/** Milliseconds for which the others wait for one large result: its server may have stopped sending. */
const MAX_READING = 100;

/** Milliseconds after a large result for which more of them are expected. */
const MAX_MEMORY = 1000;

/** The connection on which a result arrives. */
interface Arriving {
  pause(): unknown;
  resume(): unknown;
}

let reading: LargeResult | undefined;
const waiting = new Set<LargeResult>();
/** As `performance.now()`. */
let expectedUntil = 0;
/** Statements that wait behind as many as the connections can serve next. */
let excess = 0;

/**
 * A large result that is arriving from another process. Only one at a time is read, and the next one not before the work of
 * a turn: reading results and making responses of them, of all connections at once, would otherwise take hundreds of
 * milliseconds between two connections that Node accepts.
 */
export class LargeResult {
  #deadline?: NodeJS.Timeout;

  constructor(private readonly connection: Arriving) {
    expectedUntil = performance.now() + MAX_MEMORY;
    if (reading) {
      connection.pause();
      waiting.add(this);
    } else this.#read();
  }

  /** Must be called when the whole result was read, or never will be. */
  end(): void {
    addLargeResult();
    if (waiting.delete(this)) this.connection.resume();
    this.#passOn();
  }

  #read(): void {
    // oxlint-disable-next-line typescript/no-this-alias
    reading = this;
    this.#deadline = setTimeout(() => this.#passOn(), MAX_READING).unref();
  }

  #passOn(): void {
    clearTimeout(this.#deadline);
    if (reading !== this) return;
    reading = undefined;
    if (waiting.size > 0) leaveForLater('read', LargeResult.readNext);
  }

  static readonly readNext = (): void => {
    if (reading) return;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next);
    next.#read();
    next.connection.resume();
  };
}

/** Whether results are large, and more statements wait than their connections can serve next: a reason to start nothing new. */
export function isSaturated(): boolean {
  return excess > 0 && performance.now() < expectedUntil;
}

/** Counts the statements of some connections. */
export class StatementCount {
  #count = 0;

  constructor(private readonly connections: number) {}

  add(): void {
    this.#count += 1;
    if (this.#count > 2 * this.connections) excess += 1;
  }

  remove(): void {
    if (this.#count > 2 * this.connections) excess -= 1;
    this.#count -= 1;
  }
}
