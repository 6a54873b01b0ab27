import { AsyncLocalStorage } from 'node:async_hooks';

/** What a transaction's scope needs to know of it. */
interface Scoped {
  /** Whether its work must use nothing but its tables. */
  readonly isExclusive: boolean;
}

const scope = new AsyncLocalStorage<Scoped>();
/** Of this process. */
let openTransactions = 0;

/** Whether the caller runs inside of a transaction. Costs nothing while there is none. */
export function isInsideTransaction(): boolean {
  return openTransactions > 0 && scope.getStore()?.isExclusive === true;
}

/** Rejects for a table that is used from inside of a transaction but not through it: it would not see its changes. */
export function outsideTransaction(table: string): Promise<never> {
  return Promise.reject(
    new Error(
      `Inside of a transaction, use its own table for "${table}": transaction.table(Entity), not the injected one`,
    ),
  );
}

/** Runs `work` inside of a transaction. */
export async function insideTransaction<Result>(transaction: Scoped, work: () => Promise<Result>): Promise<Result> {
  openTransactions += 1;
  try {
    return await scope.run(transaction, work);
  } finally {
    openTransactions -= 1;
    // On Node 20, every promise of the process costs more as long as it is enabled.
    if (openTransactions === 0) scope.disable();
  }
}
