import { addLargeResult, leaveForLater } from './end-of-turn.js';

/** Bytes from which a result is large. */
export const LARGE_RESULT = 65_536;

/** Milliseconds for which the others wait for one large result: its server may be slow, or have stopped sending. */
const MAX_READING = 100;

/** Milliseconds after the beginning of a large result for which more of them are expected. */
const EXPECTED = 1000;

/** The connection on which a result arrives. */
interface Arriving {
  pause(): unknown;
  resume(): unknown;
}

let reading: LargeResult | undefined;
const waiting = new Set<LargeResult>();
/** As `performance.now()`. */
let expectedUntil = 0;

/**
 * A large result that is arriving from another process. The others wait for one, and the next one is not read before the work
 * of a turn: reading results and making responses of them, of all connections at once, would otherwise take hundreds of
 * milliseconds between two connections that Node accepts.
 */
export class LargeResult {
  #deadline?: NodeJS.Timeout;

  constructor(private readonly connection: Arriving) {
    expectedUntil = performance.now() + EXPECTED;
    if (reading || waiting.size > 0) {
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

/** Connections that statements share. */
interface Pool {
  /** Statements and transactions that wait for a connection. */
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Those for which more wait than they can serve next, or did when a statement was last added. */
const crowded = new Set<Pool>();

const isCrowded = ({ waitingCount, options }: Pool): boolean => waitingCount > options.max;

/** To be called for each statement that was passed to a pool. */
export function noteStatement(pool: Pool): void {
  if (isCrowded(pool)) crowded.add(pool);
}

/** Whether results are large, and more statements wait than a pool can serve next: a reason to start nothing new. */
export function isSaturated(): boolean {
  if (crowded.size === 0 || performance.now() >= expectedUntil) return false;
  for (const pool of crowded) {
    if (isCrowded(pool)) return true;
    crowded.delete(pool);
  }
  return false;
}
