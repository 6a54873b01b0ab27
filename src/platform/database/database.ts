import type { OnApplicationShutdown } from '@nestjs/common';
import { KeyedTransactions } from './keyed/keyed-transactions.js';
import { PostgresTransactions } from './postgres/tables/postgres-transactions.js';
import type { ServedDatabase } from './served/served-database.js';
import { SqliteTransactions } from './sqlite/sqlite-transactions.js';
import type { Transactions, Work } from './transactions/transaction.js';
import { isInsideTransaction, refusedInside, started } from './transactions/transaction-scope.js';

/** The database of the application, for work that concerns several tables or statements. */
export class Database implements OnApplicationShutdown {
  #transactions?: Transactions;
  /** Of requests with an Idempotency-Key. */
  readonly keyed = new KeyedTransactions({
    run: async (work) => this.#open().run(work),
    tableOf: (entity) => this.#open().tableOf(entity),
    insertTogether: async (...group) => this.#open().insertTogether(...group),
  });

  /** `limit` is in milliseconds; 0 for none. */
  constructor(
    private readonly served: Pick<ServedDatabase, 'dataSource' | 'isOpen' | 'unavailable' | 'whenOpen'>,
    limit: number,
  ) {
    const { dataSource } = served;
    const isPostgres = dataSource.options.type === 'postgres';
    served.whenOpen(() => {
      this.#transactions = new (isPostgres ? PostgresTransactions : SqliteTransactions)(dataSource, limit);
    });
  }

  onApplicationShutdown(): void {
    this.#transactions?.close?.();
  }

  /**
   * Runs `work` as one transaction, which sees the rows as if it were alone, and resolves when its changes are durable.
   * If `work` throws, they are undone. On PostgreSQL, `work` may run several times, because other transactions
   * interfere: it must have no effects but on the tables of its transaction. Throws DatabaseUnavailable when everything
   * together takes longer than DATABASE_STATEMENT_TIMEOUT_MS. Creations wait meanwhile, so `work` should wait only for
   * its statements; an injected table fails it. While a request with an Idempotency-Key is served, it resolves earlier:
   * the changes are durable once the response is.
   */
  transaction<Result>(work: Work<Result>): Promise<Result> {
    if (isInsideTransaction()) return refusedInside('A transaction cannot contain another one; use the outer one');
    const request = this.keyed.request();
    return request ? this.keyed.run(request, work) : started(() => this.#open().run(work));
  }

  #open(): Transactions {
    if (!this.#transactions || !this.served.isOpen) throw this.served.unavailable();
    return this.#transactions;
  }
}
