import { addLargeResult, leaveForLater } from './end-of-turn.js';

/** Bytes from which a result is large. */
export const LARGE_RESULT = 65_536;

/** Milliseconds for which other large results wait for one: its server may be slow, or have stopped sending. */
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
 * A large result that is arriving from another process. Only one is read at a time, and the next one only after the
 * work of a turn. Otherwise, reading the results of all connections at once and making responses of them would take
 * hundreds of milliseconds between two connections that Node accepts.
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

/** Pools for which more statements waited than they have connections when one was last added; perhaps no longer. */
const crowded = new Set<Pool>();

const isCrowded = ({ waitingCount, options }: Pool): boolean => waitingCount > options.max;

/** Call for each statement that was passed to a pool. */
export function noteStatement(pool: Pool): void {
  if (isCrowded(pool)) crowded.add(pool);
}

/** Whether results are large and a pool has more waiting statements than connections: start nothing new then. */
export function isSaturated(): boolean {
  if (crowded.size === 0 || performance.now() >= expectedUntil) return false;
  for (const pool of crowded) {
    if (isCrowded(pool)) return true;
    crowded.delete(pool);
  }
  return false;
}
