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

/** How long requests may wait for those of other connections: less while more of them arrive than the service can serve. */
export class Patience {
  /** Milliseconds that the connection which had the last turn had waited for it. */
  #lastWait = 0;
  #shedUntil = 0;
  #isShedding = false;

  get isShedding(): boolean {
    return this.#isShedding;
  }

  /** A connection has its turn. All times are of `performance.now()`. */
  addTurn(readySince: number, now: number): void {
    this.#lastWait = now - readySince;
    if (now > this.#shedUntil) this.#isShedding = false;
  }

  /** No connection waits. */
  reset(): void {
    this.#lastWait = 0;
    this.#isShedding = false;
  }

  /** A request waited too long, or the memory for waiting requests runs short. */
  shed(now: number): void {
    if (this.#isShedding) return;
    this.#isShedding = true;
    this.#shedUntil = now + MAX_SHEDDING;
  }

  /** Whether a request has waited too long. */
  isExceeded(since: number, now: number): boolean {
    return now - since > MAX_AGE;
  }

  /** Whether a request would wait too long if its connection must have `turns` turns before. */
  wouldExceed(turns: number): boolean {
    return (turns + 1) * this.#lastWait > (this.#isShedding ? SHORT_WAIT : MAX_WAIT);
  }
}
