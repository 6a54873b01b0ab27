import { setImmediate as endOfTurn } from 'node:timers/promises';
import { types } from 'node:util';
import type { EntityManager, QueryRunner } from 'typeorm';
import { reasonOf } from '../../errors/reason-of.js';

/** The first words of a statement, up to its first value: the log must have no values. */
const WORDS = /^\s*((?:[a-z_]\w*|"[^"]*")(?:[\s.]+(?:[a-z_]\w*|"[^"]*")){0,4})/i;

/** What a migration calls, as a person finds it in its code. */
function named(method: string | symbol, [text]: readonly unknown[]): string {
  const words = method === 'query' && typeof text === 'string' ? WORDS.exec(text)?.[1] : undefined;
  return words?.replace(/\s+/g, ' ') ?? String(method);
}

const unawaited = (statement: string): string => `it does not await a statement (${statement})`;

/**
 * The calls by which a migration reaches the database. One that it does not await could run after its transaction, or fail
 * unnoticed.
 */
export class WatchedCalls {
  readonly #runner: QueryRunner;
  /** With the statement of each. */
  readonly #pending = new Map<Promise<unknown>, string>();
  #count = 0;
  #isOver = false;
  /** Whether it has failed by itself: then Promise.all may have ended it while other statements go on. */
  #hasFailed = false;
  #fault: string | undefined;
  #report: ((statement?: string) => void) | undefined;

  constructor(runner: QueryRunner) {
    const watched: QueryRunner = new Proxy(runner, {
      get: (target, name) => {
        if (name === 'manager') return manager;
        // What a migration does by it is not watched; many only ask it for the engine, for which they do nothing.
        if (name === 'dataSource' || name === 'connection') this.#count += 1;
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function' || name === 'constructor') return value;
        return (...values: unknown[]) => this.#call(named(name, values), () => Reflect.apply(value, target, values));
      },
      // The manager gives itself to the runner, which would no longer have its own for our statements.
      set: (target, name, value) => name === 'manager' || Reflect.set(target, name, value),
    });
    // Otherwise its statements would reach the runner unwatched.
    const manager: EntityManager = runner.dataSource.createEntityManager(watched);
    this.#runner = watched;
  }

  /** Whether the migration may have reached the database. */
  get hasAny(): boolean {
    return this.#count > 0;
  }

  /** What the migration does not await. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Runs the migration with a watched runner; our own statements use the runner itself. */
  async during(work: (runner: QueryRunner) => Promise<void>): Promise<void> {
    // Without a listener, Node would end the process with a stack.
    process.on('unhandledRejection', this.#noteFailure);
    try {
      await work(this.#runner);
      const [statement] = this.#pending.values();
      if (statement !== undefined) this.#fault ??= unawaited(statement);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#isOver = true;
      // On SQLite, what runs after a rollback would stay.
      await Promise.allSettled(this.#pending.keys());
      // Then Node has reported failures, and code that awaited these calls has started its next one.
      await endOfTurn();
      process.off('unhandledRejection', this.#noteFailure);
    }
  }

  /** From now on, a fault can only be reported, with its statement where that is known. */
  end(report: (statement?: string) => void): void {
    if (this.#fault === undefined) this.#report = report;
    else report();
  }

  readonly #noteFailure = (error: unknown): void => {
    this.#fault ??= `it does not await a promise that failed (${reasonOf(error)})`;
  };

  #call(statement: string, call: () => unknown): unknown {
    if (this.#isOver) return this.#refuse(statement);
    const result = call();
    if (!types.isPromise(result)) return result;
    this.#count += 1;
    // The migration gets this promise, so that its failure counts as handled only where the migration handles it.
    const watched: Promise<unknown> = result.finally(() => this.#pending.delete(watched));
    this.#pending.set(watched, statement);
    return watched;
  }

  /** Never settles: a failure that nothing awaits would end the process. */
  #refuse(statement: string): Promise<never> {
    if (!this.#hasFailed) this.#fault ??= unawaited(statement);
    this.#report?.(statement);
    this.#report = undefined;
    return new Promise(() => undefined);
  }
}
