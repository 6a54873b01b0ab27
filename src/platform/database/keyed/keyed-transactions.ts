import { Logger, type Type } from '@nestjs/common';
import { RequestInProgress } from '../../idempotency/idempotency.errors.js';
import type { KeyedChange } from '../../idempotency/keyed-change.js';
import type { KeyedRequest } from '../../idempotency/keyed-request.js';
import { servedRequest } from '../../idempotency/keyed-scope.js';
import type { RowChange } from '../tables/changes/row-change.js';
import type { TableDescription } from '../tables/columns/table-columns.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { started } from '../transactions/transaction-scope.js';
import type { OwnTransaction, Transactions } from '../transactions/transaction.js';
import { KeyedCreations } from './keyed-creations.js';

const LATE =
  'A change began after the response to its request with an Idempotency-Key, so that it may be lost or made twice; await it before the handler returns (logged only once)';

/** Undoes a transaction whose handler has failed. */
class Undone extends Error {}

/** Changes of requests with an Idempotency-Key: each is committed together with the response to its request. */
export class KeyedTransactions {
  readonly #creations = new Map<Type<object>, KeyedCreations>();
  readonly #logger = new Logger('IdempotencyKey');
  #hasLogged = false;

  constructor(private readonly transactions: Transactions) {}

  /**
   * The request with which a change that begins now is stored. A change that nothing has awaited may begin too late for
   * that: it is an ordinary one.
   */
  request(): KeyedRequest | undefined {
    const request = servedRequest();
    if (request?.isOpen) return request;
    if (request?.isAnswered && !this.#hasLogged) {
      this.#hasLogged = true;
      // Its stack names the caller.
      this.#logger.error({ err: new Error(LATE) }, LATE);
    }
    return undefined;
  }

  /** Resolves with the id before the row is durable. Concurrent inserts share a commit. */
  insert(request: KeyedRequest, entity: Type<object>, row: object): Promise<bigint> {
    let creations = this.#creations.get(entity);
    if (!creations) this.#creations.set(entity, (creations = new KeyedCreations(entity, this.transactions)));
    return creations.insert(request, row);
  }

  /** Resolves before the change is durable. `changeOf` takes what its arguments hold now: the transaction begins later. */
  change(
    request: KeyedRequest,
    entity: Type<object>,
    changeOf: (table: TableDescription) => RowChange,
  ): Promise<boolean> {
    return started(() => {
      const change = changeOf(this.transactions.tableOf(entity));
      return this.run(request, (transaction) => transaction.change(entity, change));
    });
  }

  /** Resolves before the changes of `work` are durable: the commit follows the response. */
  run<Result>(request: KeyedRequest, work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    return request.change((change) => this.#run(change, work));
  }

  #run<Result>(change: KeyedChange, work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let unchanged: { readonly result: Result } | undefined;
      const runAndStore = async (transaction: OwnTransaction): Promise<void> => {
        unchanged = undefined;
        // Repeated after interference, its result could differ from the one that the handler already has.
        if (change.isHeld) throw new DatabaseUnavailable(new Error('Other transactions interfered with the commit'));
        const result = await transaction.complete(() => work(transaction));
        if (!transaction.hasChanged) {
          // Given to the handler after the commit, which may fail because what it has read has changed.
          unchanged = { result };
          return;
        }
        const stored = await change.hold(() => resolve(result));
        if (!stored) throw new Undone();
        if (!(await transaction.store([stored])).has(stored.hash)) throw new RequestInProgress();
      };
      const fail = (error: unknown) => {
        reject(error);
        change.fail(error);
      };
      this.transactions.run(runAndStore).then(
        () => {
          if (!unchanged) return change.end();
          change.release();
          resolve(unchanged.result);
        },
        (error: unknown) => (error instanceof Undone ? change.end() : fail(error)),
      );
    });
  }
}
