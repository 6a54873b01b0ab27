import { setTimeout as delay } from 'node:timers/promises';
import { SerialQueue } from '../../transactions/serial-queue.js';
import type { StatementRunner } from '../postgres-statements.js';
import type { PostgresInserts } from './postgres-inserts.js';

/** Only one transaction of all processes has it. Whatever else uses the table continues. */
const TAKE_TURN = 'LOCK TABLE "sequences" IN SHARE UPDATE EXCLUSIVE MODE';

/** The same, taken before the snapshot, so that no creation can take ids after it. Reads continue. */
export const LOCK_SEQUENCES = 'LOCK TABLE "sequences" IN SHARE ROW EXCLUSIVE MODE';

/** Maximum milliseconds before the first repetition, and the factor for each further one. */
const FIRST_PAUSE = 4;
const PAUSE_FACTOR = 2;

/** How one attempt ended without a commit. */
export class FailedAttempt {
  constructor(
    readonly error: unknown,
    readonly retry: 'never' | 'now' | 'later',
    readonly hasTakenIds: boolean,
    /** The table whose next id belongs to a row that was inserted by hand. */
    readonly blocked?: PostgresInserts,
  ) {}
}

export type Outcome<Result> = { readonly result: Result } | FailedAttempt;

/** Carries out the transaction, which takes the lock first. */
type Attempt<Result> = (lock?: string) => Promise<Outcome<Result>>;

/** Milliseconds, at least 1; 0 for no end. */
export function timeUntil(end: number): number {
  return end === Infinity ? 0 : Math.max(1, end - performance.now());
}

/** Repeats transactions that conflict with others. */
export class Repetitions {
  readonly #turns = new SerialQueue();

  constructor(
    /** Runs statements that no rollback undoes. */
    private readonly server: StatementRunner,
  ) {}

  /**
   * Repeats a transaction that conflicts with others when nothing else is repeated: together, they would conflict again. New
   * transactions wait for their turn as well while there is a repetition. `end` is that of all attempts, as
   * `performance.now()`.
   */
  async run<Result>(attempt: Attempt<Result>, end: number): Promise<Result> {
    if (this.#turns.isTaken) return this.#turns.runWithin(timeUntil(end), () => this.#repeat(attempt, end));
    const outcome = await attempt();
    if (!(outcome instanceof FailedAttempt)) return outcome.result;
    if (outcome.retry === 'never' || performance.now() >= end) throw outcome.error;
    return this.#turns.runWithin(timeUntil(end), () => this.#repeat(attempt, end, outcome));
  }

  /** Attempts the work until it succeeds. */
  async #repeat<Result>(attempt: Attempt<Result>, end: number, last?: FailedAttempt): Promise<Result> {
    let locksSequences = last?.hasTakenIds ?? false;
    let skipped = 0n;
    let pause = FIRST_PAUSE;
    for (let failed = last; ;) {
      if (failed?.blocked) skipped = await failed.blocked.skipIds(this.server, skipped);
      const lock = locksSequences ? LOCK_SEQUENCES : TAKE_TURN;
      const outcome: Outcome<Result> = await attempt(lock);
      if (!(outcome instanceof FailedAttempt)) return outcome.result;
      failed = outcome;
      locksSequences ||= outcome.hasTakenIds;
      // Random, so that it does not collide with the same transaction of another process again.
      const wait = outcome.retry === 'now' ? 0 : Math.random() * pause;
      if (outcome.retry === 'never' || performance.now() + wait >= end) throw outcome.error;
      if (outcome.retry === 'now') continue;
      await delay(wait);
      pause *= PAUSE_FACTOR;
    }
  }
}
