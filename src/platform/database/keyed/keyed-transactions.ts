import type { Type } from '@nestjs/common';
import { RequestInProgress } from '../../idempotency/idempotency.errors.js';
import type { KeyedRequest } from '../../idempotency/keyed-request.js';
import type { RowChange } from '../tables/changes/row-change.js';
import type { TableDescription } from '../tables/columns/table-columns.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { OwnTransaction, Transactions } from '../transactions/transaction.js';
import { KeyedCreations } from './keyed-creations.js';

/** Undoes a transaction whose handler has failed. */
class Undone extends Error {}

/** Changes of requests with an Idempotency-Key: each is committed together with the response to its request. */
export class KeyedTransactions {
  readonly #creations = new Map<Type<object>, KeyedCreations>();

  constructor(private readonly transactions: Transactions) {}

  /** Resolves with the id before the row is durable. Concurrent inserts share a commit. */
  insert(request: KeyedRequest, entity: Type<object>, row: object): Promise<bigint> {
    let creations = this.#creations.get(entity);
    if (!creations) this.#creations.set(entity, (creations = new KeyedCreations(entity, this.transactions)));
    return creations.insert(request, row);
  }

  /** Resolves before the change is durable. `changeOf` takes what its arguments hold now: the transaction begins later. */
  async change(
    request: KeyedRequest,
    entity: Type<object>,
    changeOf: (table: TableDescription) => RowChange,
  ): Promise<boolean> {
    const change = changeOf(this.transactions.tableOf(entity));
    return this.run(request, (transaction) => transaction.change(entity, change));
  }

  /** Resolves before the changes of `work` are durable: the commit follows the response. */
  async run<Result>(request: KeyedRequest, work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    const change = request.change();
    return new Promise((resolve, reject) => {
      const runAndStore = async (transaction: OwnTransaction): Promise<void> => {
        // Repeated after interference, its result could differ from the one that the handler already has.
        if (change.isHeld) throw new DatabaseUnavailable(new Error('Other transactions interfered with the commit'));
        const result = await work(transaction);
        const stored = await change.hold(() => resolve(result));
        if (!stored) throw new Undone();
        if (!(await transaction.store([stored])).has(stored.hash)) throw new RequestInProgress();
      };
      const fail = (error: unknown) => {
        reject(error);
        change.fail(error);
      };
      this.transactions.run(runAndStore).then(
        () => change.end(),
        (error: unknown) => (error instanceof Undone ? change.end() : fail(error)),
      );
    });
  }
}
