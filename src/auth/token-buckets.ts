/** How many requests a client may send. */
export interface RateLimit {
  readonly requests: number;
  /** Seconds in which that many tokens are added, evenly. */
  readonly window: number;
}

interface Bucket {
  tokens: number;
  /** When it had these tokens, as `performance.now()`. */
  at: number;
}

/** The state of a bucket after a request. */
interface Level {
  /** Whether there was a token for the request. */
  readonly isServed: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Whole seconds until there is one more. */
  readonly wait: number;
}

/**
 * A token bucket for each name: a request takes a token, and tokens are added with time, up to the number of requests. A bucket
 * that is unused for a window is full again, like a new one: it is dropped after one to two windows.
 */
export class TokenBuckets {
  /** The buckets of this window and of the last one. A bucket that is used again moves to the first map. */
  #recent = new Map<string, Bucket>();
  #older = new Map<string, Bucket>();
  #turnedAt = -Infinity;
  readonly #shared: Bucket;
  /** Milliseconds. */
  readonly #window: number;

  /** `maximum` is the number of names in a window; further ones share a bucket. */
  constructor(
    private readonly limit: RateLimit,
    private readonly maximum = Infinity,
  ) {
    this.#window = limit.window * 1000;
    this.#shared = { tokens: limit.requests, at: -Infinity };
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Takes a token of the bucket, if it has one. */
  take(name: string, now = performance.now()): Level {
    const bucket = this.#bucketOf(name, now);
    const interval = this.#window / this.limit.requests;
    const tokens = Math.min(this.limit.requests, bucket.tokens + (now - bucket.at) / interval);
    const isServed = tokens >= 1;
    bucket.tokens = isServed ? tokens - 1 : tokens;
    bucket.at = now;
    const remaining = Math.floor(bucket.tokens);
    return { isServed, remaining, wait: Math.ceil(((remaining + 1 - bucket.tokens) * interval) / 1000) };
  }

  #bucketOf(name: string, now: number): Bucket {
    if (now - this.#turnedAt >= this.#window) this.#turn(now);
    const recent = this.#recent.get(name);
    if (recent) return recent;
    if (this.#recent.size >= this.maximum) return this.#shared;
    const bucket = this.#older.get(name) ?? { tokens: this.limit.requests, at: now };
    this.#recent.set(name, bucket);
    this.#older.delete(name);
    return bucket;
  }

  #turn(now: number): void {
    const isIdle = now - this.#turnedAt >= 2 * this.#window;
    this.#older = isIdle ? new Map() : this.#recent;
    this.#recent = new Map();
    this.#turnedAt = now;
  }
}
