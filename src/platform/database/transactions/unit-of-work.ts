import type { Type } from '@nestjs/common';
import type { StoredRequest } from '../../idempotency/stored-response.js';
import { deletionOf, type RowChange, updateOf } from '../tables/changes/row-change.js';
import type { TableDescription } from '../tables/columns/table-columns.js';
import type { Conditions } from '../tables/conditions.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import type { AnyPageRequest } from '../tables/page-order.js';
import type { OwnTransaction } from './transaction.js';
import { startDeadline } from './deadline.js';
import { insideTransaction, leaveWhenForgotten } from './transaction-scope.js';

type Values = Record<string, unknown>;
type Now<Result> = Result | Promise<Result>;

/** The rows of one table on the connection of a transaction. */
export interface TransactionRows {
  readonly table: TableDescription;
  page(request: AnyPageRequest): Now<Values[]>;
  find(id: bigint): Now<Values | undefined>;
  insert(row: Values): Now<bigint>;
  change(change: RowChange): Now<boolean>;
}

type OpenRows = (entity: Type<object>) => TransactionRows;
type Store = (requests: readonly StoredRequest[]) => Now<ReadonlySet<string>>;
type Run = <Result>(statement: () => Now<Result>) => Promise<Result>;
type Noted = <Result>(change: () => Now<Result>) => Now<Result>;

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
  /** Statements that have not ended. */
  #pending = 0;
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
    return this.#run(() => this.#noted(() => this.openRows(entity).change(change)));
  }

  store(requests: readonly StoredRequest[]): Promise<ReadonlySet<string>> {
    return this.#run(() => this.storeRequests(requests));
  }

  /** Rejects a statement, which ends the transaction. */
  refuse(error: unknown): Promise<never> {
    this.#failure ??= { error };
    return rejected(error);
  }

  /** Rejects if the work does, if it takes longer than `milliseconds`, or if it must not be committed. 0 for no limit. */
  async perform<Result>(work: (transaction: OwnTransaction) => Promise<Result>, milliseconds: number): Promise<Result> {
    if (milliseconds > 0) this.#endsAt = performance.now() + milliseconds;
    const running = insideTransaction(this, () => work(this));
    try {
      const result = await (milliseconds === 0 ? running : within(milliseconds, running));
      if (this.#failure) throw this.#failure.error;
      if (performance.now() > this.#endsAt) throw tookTooLong();
      if (this.#pending > 0) throw new Error('A transaction must await each of its statements');
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
  readonly #run: Run = (statement) => {
    if (!this.#isOpen) return this.#afterEnd();
    if (this.#failure) return rejected(this.#failure.error);
    // SQLite's statements never let a timer fire.
    if (performance.now() > this.#endsAt) return this.refuse(tookTooLong());
    try {
      const result = statement();
      return result instanceof Promise ? handled(this.#whenEnded(result)) : Promise.resolve(result);
    } catch (error) {
      return this.refuse(error);
    }
  };

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

  async #whenEnded<Result>(result: Promise<Result>): Promise<Result> {
    this.#pending += 1;
    try {
      return await result;
    } catch (error) {
      return await this.refuse(error);
    } finally {
      this.#pending -= 1;
    }
  }
}

const rejected = (error: unknown): Promise<never> => handled(Promise.reject(error as Error));

/**
 * Keeps a statement that nothing awaits from ending the process when it fails: its transaction fails with the same error.
 * For example, work that starts two statements never awaits the second one if awaiting the first one throws.
 */
function handled<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => undefined);
  return result;
}

class TransactionTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  constructor(
    private readonly rows: TransactionRows,
    private readonly run: Run,
    private readonly noted: Noted,
  ) {}

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    return this.run(() => this.rows.page(request)) as Promise<Row<Entity>[]>;
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    return this.run(() => this.rows.find(id)) as Promise<Row<Entity> | undefined>;
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    return this.run(() => this.noted(() => this.rows.insert(row)));
  }

  update(id: bigint, changes: Changes<Entity>, where: Conditions<Entity> = {}): Promise<boolean> {
    return this.run(() => this.noted(() => this.rows.change(updateOf(this.rows.table, id, changes, where))));
  }

  delete(id: bigint, where: Conditions<Entity> = {}): Promise<boolean> {
    return this.run(() => this.noted(() => this.rows.change(deletionOf(this.rows.table, id, where))));
  }
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
