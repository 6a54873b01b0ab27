import { Logger } from '@nestjs/common';
import { reasonOf } from './reason-of.js';

/** Milliseconds without a failure after which an outage is over. */
const QUIET_TIME = 5_000;

/** Milliseconds between two lines of a lasting outage. */
const REPORT_INTERVAL = 60_000;

/** Milliseconds between two checks of both times. */
const CHECK_INTERVAL = 1_000;

interface Outage {
  readonly startedAt: number;
  /** What has failed so far. */
  readonly kinds: Set<unknown>;
  lastFailureAt: number;
  reportedAt: number;
  failures: number;
}

/**
 * Logs one line when an outage starts, one when something else fails as well, one each minute, and one when it ends,
 * however many requests fail. An outage is an expected condition: its lines have the reason, but no stack.
 */
export class OutageLog {
  readonly #logger = new Logger('Outage');
  #outage?: Outage;
  #timer?: NodeJS.Timeout;

  /** `message` is for the caller; `reason` is the error behind it; `kind` is what failed, of which a program has few. */
  addFailure(message: string, reason: unknown, kind: unknown): void {
    const now = performance.now();
    this.#outage ??= this.#start(now);
    const { kinds } = this.#outage;
    this.#outage.failures += 1;
    this.#outage.lastFailureAt = now;
    if (kinds.has(kind)) return;
    kinds.add(kind);
    this.#logger.error({ reason: reason instanceof Error ? reasonOf(reason) : undefined }, `Requests fail: ${message}`);
  }

  #start(now: number): Outage {
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    return { startedAt: now, kinds: new Set(), lastFailureAt: now, reportedAt: now, failures: 0 };
  }

  #check(): void {
    const outage = this.#outage;
    if (!outage) return;
    const now = performance.now();
    if (now - outage.lastFailureAt >= QUIET_TIME) {
      this.#outage = undefined;
      clearInterval(this.#timer);
      const seconds = Math.round((outage.lastFailureAt - outage.startedAt) / 1000);
      this.#logger.warn({ seconds, failures: outage.failures }, 'Requests have stopped failing.');
    } else if (now - outage.reportedAt >= REPORT_INTERVAL) {
      outage.reportedAt = now;
      this.#logger.error({ failures: outage.failures }, 'Requests still fail.');
    }
  }
}
