import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { reasonOf } from '../../errors/reason-of.js';
import type { StoredRequests } from '../../idempotency/stored-response.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';

/** Rows per step, which takes a few milliseconds, in which SQLite can do nothing else. */
const STEP = 200;

interface Pauses {
  /** Milliseconds to the next step while there is more to remove. */
  readonly step: number;
  /** Milliseconds to the next look otherwise. */
  readonly look: number;
}

const FAILED = 'Old Idempotency-Keys cannot be removed; trying again.';

const PAUSES: Pauses = { step: 50, look: 60_000 };

/** Removes expired requests, in small steps, at times that differ between replicas. */
export class Pruning implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('Pruning');
  #timer?: NodeJS.Timeout;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  /** Whether the last step failed. */
  #hasFailed = false;

  constructor(
    private readonly requests: StoredRequests,
    private readonly pauses = PAUSES,
  ) {}

  onModuleInit(): void {
    this.#next(this.pauses.look);
  }

  /** At the beginning of a stop, before the service waits for the requests that still run. */
  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #next(pause: number): void {
    if (this.#isStopped) return;
    const jittered = pause * (0.5 + Math.random());
    this.#timer = setTimeout(() => {
      this.#running = this.#step();
    }, jittered).unref();
  }

  async #step(): Promise<void> {
    try {
      const count = await this.requests.prune(STEP);
      this.#hasFailed = false;
      this.#next(count === STEP ? this.pauses.step : this.pauses.look);
    } catch (error) {
      if (!this.#hasFailed) this.#report(error);
      this.#hasFailed = true;
      this.#next(this.pauses.look);
    }
  }

  #report(error: unknown): void {
    // An outage needs no stack.
    if (error instanceof DatabaseUnavailable) this.#logger.warn({ reason: reasonOf(error) }, FAILED);
    else this.#logger.warn({ err: error }, FAILED);
  }
}
