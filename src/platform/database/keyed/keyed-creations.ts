import type { Type } from '@nestjs/common';
import type { KeyedChange } from '../../idempotency/keyed-change.js';
import type { KeyedRequest } from '../../idempotency/keyed-request.js';
import { RequestInProgress } from '../../idempotency/idempotency.errors.js';
import { type Cells, cellsOf } from '../tables/columns/table-columns.js';
import { GroupCommit } from '../tables/group-commit.js';
import { started } from '../transactions/transaction-scope.js';
import type { Transactions } from '../transactions/transaction.js';

interface Creation {
  readonly cells: Cells;
  readonly change: KeyedChange;
  /** Gives the handler its id. */
  readonly give: (id: bigint) => void;
}

/** `done`: the row and its request were stored, or undone on demand. `refused`: another request had the key. */
type Outcome = 'done' | 'refused';

/** Commits concurrent creations of keyed requests together, each with the response that its handler makes of the id. */
export class KeyedCreations {
  /** Errors of groups whose handlers already have their ids: another attempt would give others. */
  readonly #final = new WeakSet<object>();
  readonly #commits = new GroupCommit<Creation, Outcome>(
    (creations) => this.#commit(creations),
    (error) => !this.#final.has(error as object),
  );

  constructor(
    private readonly entity: Type<object>,
    private readonly transactions: Transactions,
  ) {}

  /** Resolves with the id before the row is durable: the commit follows the response. */
  insert(request: KeyedRequest, row: object): Promise<bigint> {
    return started(() => {
      const cells = cellsOf(this.transactions.tableOf(this.entity), row);
      return request.change((change) => this.#add(cells, change));
    });
  }

  #add(cells: Cells, change: KeyedChange): Promise<bigint> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        reject(error);
        change.fail(error);
      };
      this.#commits
        .add({ cells, change, give: resolve })
        .then((outcome) => (outcome === 'done' ? change.end() : fail(new RequestInProgress())), fail);
    });
  }

  async #commit(creations: readonly Creation[]): Promise<Outcome[]> {
    let isHeld = false;
    try {
      let hashes: readonly (string | undefined)[] = [];
      const stored = await this.transactions.insertTogether(
        this.entity,
        creations.map(({ cells }) => cells),
        async (ids) => {
          isHeld = true;
          // One id for each row.
          const held = creations.map(({ change, give }, index) => change.hold(() => give(ids[index]!)));
          const requests = await Promise.all(held);
          hashes = requests.map((request) => request?.hash);
          return requests;
        },
      );
      return hashes.map((hash) => (hash === undefined || stored.has(hash) ? 'done' : 'refused'));
    } catch (error) {
      if (isHeld) this.#final.add(error as object);
      throw error;
    }
  }
}
