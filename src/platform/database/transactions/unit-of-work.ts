import type { Type } from '@nestjs/common';
import type { StoredRequest } from '../../idempotency/stored-response.js';
import type { RowChange } from '../tables/changes/row-change.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { KeysetTable } from '../tables/keyset-table.js';
import type { OwnTransaction } from './transaction.js';
import { startDeadline } from './deadline.js';
import { type Noted, type Now, type Run, type TransactionRows, TransactionTable } from './transaction-table.js';
import { insideTransaction, leaveWhenForgotten, started } from './transaction-scope.js';

type OpenRows = (entity: Type<object>) => TransactionRows;
type Store = (requests: readonly StoredRequest[]) => Now<ReadonlySet<string>>;

/**
 * A transaction from its beginning to its end; the engine runs both. A statement that fails ends it, as PostgreSQL
 * demands: then it is rolled back, even if the work catches the error.
 */
export class UnitOfWork implements OwnTransaction {
  #isOpen = true;
  #isUndone = false;
  /** Whether its work still runs although it was undone, because it took too long. */
  #isOverdue = false;
  /** As `performance.now()`. */
  #endsAt = Infinity;
  #failure?: { readonly error: unknown };
  /** The names of statements that have not ended. */
  readonly #pending: string[] = [];
  /** Changes that have met a row, or have not ended. */
  #changes = 0;
  readonly #tables = new Map<Type<object>, KeysetTable<never>>();

  constructor(
    private readonly openRows: OpenRows,
    private readonly storeRequests: Store,
  ) {}

  /**
   * Also true for work still running after the rollback: its writes must be rejected. What the work has left behind, such
   * as a timer, may use other tables once it has settled.
   */
  get isExclusive(): boolean {
    return this.#isOpen || this.#isOverdue;
  }

  get hasChanged(): boolean {
    return this.#changes > 0;
  }

  /** The error of the statement that failed first. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  table<Entity extends { id: bigint }>(entity: Type<Entity>): KeysetTable<Entity> {
    const known = this.#tables.get(entity);
    // Stored below, under its entity.
    if (known) return known as unknown as KeysetTable<Entity>;
    const table = new TransactionTable<Entity>(this.openRows(entity), this.#run, this.#noted);
    this.#tables.set(entity, table as unknown as KeysetTable<never>); // Of any entity.
    return table;
  }

  change(entity: Type<object>, change: RowChange): Promise<boolean> {
    return this.#run('change', () => this.#noted(() => this.openRows(entity).change(change)));
  }

  store(requests: readonly StoredRequest[]): Promise<ReadonlySet<string>> {
    return this.#run('store', () => this.storeRequests(requests));
  }

  /** Rejects when the work ends before a statement that it has begun: what follows it would not know whether it succeeds. */
  complete<Result>(work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    const running = started(() => work(this));
    return running.then((result) => {
      const [missing] = this.#pending;
      if (missing === undefined) return result;
      // On PostgreSQL, Promise.all rejects before its other statements have ended.
      if (this.#failure) throw this.#failure.error;
      throw new Error(`A transaction must await each of its statements; await its ${missing}`);
    });
  }

  /** Rejects a statement, which ends the transaction. */
  refuse(error: unknown): Promise<never> {
    this.#failure ??= { error };
    // PostgreSQL refuses each statement after one that has failed.
    return rejected(this.#failure.error);
  }

  /** Rejects if the work does, if it takes longer than `milliseconds`, or if it must not be committed. 0 for no limit. */
  async perform<Result>(work: (transaction: OwnTransaction) => Promise<Result>, milliseconds: number): Promise<Result> {
    if (milliseconds > 0) this.#endsAt = performance.now() + milliseconds;
    const running = insideTransaction(this, () => this.complete(work));
    try {
      const result = await (milliseconds === 0 ? running : within(milliseconds, running));
      if (this.#failure) throw this.#failure.error;
      if (performance.now() > this.#endsAt) throw tookTooLong();
      return result;
    } catch (error) {
      this.#isUndone = true;
      if (error instanceof TransactionOverdue) this.#awaitOverdue(running);
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }

  #awaitOverdue(running: Promise<unknown>): void {
    this.#isOverdue = true;
    const settle = (): void => void (this.#isOverdue = false);
    running.then(settle, settle);
    leaveWhenForgotten(running);
  }

  // Not async: that would double what a statement costs on SQLite, which has its result at once.
  readonly #run: Run = (name, statement) => {
    if (!this.#isOpen) return this.#afterEnd();
    if (this.#failure) return rejected(this.#failure.error);
    // SQLite's statements never let a timer fire.
    if (performance.now() > this.#endsAt) return this.refuse(tookTooLong());
    this.#pending.push(name);
    try {
      const result = statement();
      return result instanceof Promise ? handled(this.#whenEnded(name, result)) : this.#soon(name, () => result);
    } catch (error) {
      return handled(this.#soon(name, () => this.refuse(error)));
    }
  };

  /**
   * Settles what SQLite has at once, but only after two microtasks: work that does not await its last statement ends after
   * one, before that statement.
   */
  #soon<Result>(name: string, settle: () => Now<Result>): Promise<Result> {
    // Not by queueMicrotask, which costs more.
    return AT_ONCE.then(() => undefined).then(() => {
      this.#end(name);
      return settle();
    });
  }

  #end(name: string): void {
    this.#pending.splice(this.#pending.indexOf(name), 1);
  }

  /** `change` returns false when it has met no row. */
  readonly #noted: Noted = (change) => {
    this.#changes += 1;
    const note = <Result>(result: Result): Result => {
      if (result === false) this.#changes -= 1;
      return result;
    };
    const result = change();
    return result instanceof Promise ? result.then(note) : note(result);
  };

  /** After a commit, only the rejection reports that the change is lost: it must show where nothing handles it. */
  #afterEnd(): Promise<never> {
    const error = new Error('The transaction has ended; use its tables only before that');
    return this.#isUndone ? rejected(error) : Promise.reject(error);
  }

  async #whenEnded<Result>(name: string, result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      return await this.refuse(error);
    } finally {
      this.#end(name);
    }
  }
}

const AT_ONCE = Promise.resolve();

const rejected = (error: unknown): Promise<never> => handled(Promise.reject(error as Error));

/**
 * Keeps a statement that nothing awaits from ending the process when it fails: its transaction fails with the same error.
 * For example, work that starts two statements never awaits the second one if awaiting the first one throws.
 */
function handled<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => undefined);
  return result;
}

function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const meetDeadline = rejectAfter(milliseconds, reject);
    work.then(
      (result) => {
        meetDeadline();
        resolve(result);
      },
      (error: unknown) => {
        meetDeadline();
        reject(error);
      },
    );
  });
}

/** While its work still runs. */
class TransactionOverdue extends DatabaseUnavailable {}

const tookTooLong = (): DatabaseUnavailable => new DatabaseUnavailable(new Error(TOO_LONG));
const TOO_LONG = 'The transaction took longer than it may';

/** A function of its own, because its error refers to it: the error must not keep work alive that never ends. */
function rejectAfter(milliseconds: number, reject: (error: Error) => void): () => void {
  return startDeadline(milliseconds, () => {
    reject(new TransactionOverdue(new Error(TOO_LONG)));
  });
}
