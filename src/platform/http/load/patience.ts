/** Milliseconds: a request that would have to wait longer for those of others is refused at once. */
const MAX_WAIT = 600;

/** Milliseconds after which a waiting request is refused when its turn comes: its client may have given up. */
const MAX_AGE = 750;

/** `MAX_WAIT` while the service sheds load. Requests that wait no longer than this cost the garbage collector little. */
const SHORT_WAIT = 50;

/**
 * Milliseconds for which the service sheds load at most. Then it is patient again, because clients that repeat what was
 * refused may have become clients that wait.
 */
const MAX_SHEDDING = 10_000;

/**
 * Milliseconds without a refusal after which the service is patient again. Under overload, the queue becomes empty
 * from time to time: if that ended the shedding, it would grow each time until thousands of requests are too old.
 */
const CALM = 100;

/** The weight of earlier batches in the time that a turn takes, at each further batch. */
const PAST = 0.9;

/** Milliseconds without a queue after which earlier turns no longer tell how long others take. */
const MEMORY = 1000;

/** How long requests may wait for those of other connections: less while more of them arrive than the service can serve. */
export class Patience {
  /** Milliseconds of recent batches, and the turns in them; both count less the longer ago they are. */
  #milliseconds = 0;
  #turns = 0;
  /** When the last batch ended, or, if that was later, the queue. */
  #measuredAt = -Infinity;
  #hasQueue = false;
  /** Milliseconds that the connection which had the last turn had waited for it; 0 when none waits. */
  #lastWait = 0;
  #shedUntil = -Infinity;
  #calmAt = -Infinity;

  /** All times are of `performance.now()`. */
  isShedding(now: number): boolean {
    return now <= this.#shedUntil && now <= this.#calmAt;
  }

  /** A connection has its turn. */
  addTurn(readySince: number, now: number): void {
    this.#lastWait = now - readySince;
  }

  /** No connection waits. */
  reset(now: number): void {
    this.#lastWait = 0;
    this.#hasQueue = false;
    this.#measuredAt = now;
  }

  /** So many requests were served in a batch, and the next batch has begun. */
  addBatch(turns: number, milliseconds: number, now: number): void {
    const past = now - milliseconds - this.#measuredAt > MEMORY ? 0 : PAST;
    this.#milliseconds = past * this.#milliseconds + milliseconds;
    this.#turns = past * this.#turns + turns;
    this.#measuredAt = now;
    this.#hasQueue = true;
  }

  /** A request is refused, or the memory for waiting requests runs short. */
  shed(now: number): void {
    if (!this.isShedding(now)) this.#shedUntil = now + MAX_SHEDDING;
    this.#calmAt = now + CALM;
  }

  /** Whether a request has waited too long. */
  isExceeded(since: number, now: number): boolean {
    return now - since > MAX_AGE;
  }

  /**
   * Whether a request would wait too long when `connections` others wait for their turn, and its own one needs `turns` turns
   * before it. What the last turn waited is too low while the queue grows, but a slow moment costs time then instead of refusals.
   * While the service sheds load, the queue is counted: otherwise all that arrives while it is short would join it.
   */
  wouldExceed(turns: number, connections: number, now: number): boolean {
    if (!this.isShedding(now)) return (turns + 1) * this.#lastWait > MAX_WAIT;
    return (turns + 1) * connections * this.#timeOfTurn(now) > SHORT_WAIT;
  }

  /** In milliseconds; 0 if it is not known. */
  #timeOfTurn(now: number): number {
    const isForgotten = !this.#hasQueue && now - this.#measuredAt > MEMORY;
    return isForgotten || this.#turns === 0 ? 0 : this.#milliseconds / this.#turns;
  }
}
