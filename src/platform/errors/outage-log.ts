import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { reasonOf } from './reason-of.js';

/** Milliseconds without a failure after which an outage is over. */
const QUIET_TIME = 5_000;

/** Milliseconds between two lines of a lasting outage. */
const REPORT_INTERVAL = 60_000;

/** Milliseconds between two checks of both times. */
const CHECK_INTERVAL = 1_000;

/** Messages that are logged of one outage: those of a feature may name what its callers sent. */
const MOST_MESSAGES = 10;

interface Outage {
  readonly startedAt: number;
  /** The messages that were logged of this outage. */
  readonly messages: Set<string>;
  lastFailureAt: number;
  reportedAt: number;
  failures: number;
}

/**
 * Logs one line when an outage starts, one when something else fails as well, one each minute, and one when it ends,
 * however many requests fail. An outage is an expected condition: its lines have the reason, but no stack.
 */
export class OutageLog implements OnApplicationShutdown {
  readonly #logger = new Logger('Outage');
  #outage?: Outage;
  #timer?: NodeJS.Timeout;

  /** `message` is for the caller; `reason` is the error behind it. */
  addFailure(message: string, reason: unknown): void {
    const now = performance.now();
    this.#outage ??= this.#start(now);
    const { messages } = this.#outage;
    this.#outage.failures += 1;
    this.#outage.lastFailureAt = now;
    if (messages.has(message) || messages.size === MOST_MESSAGES) return;
    messages.add(message);
    this.#logger.error({ reason: reason instanceof Error ? reasonOf(reason) : undefined }, `Requests fail: ${message}`);
  }

  /** A service that has stopped must not log its outage. */
  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  #start(now: number): Outage {
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    return { startedAt: now, messages: new Set(), lastFailureAt: now, reportedAt: now, failures: 0 };
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
