import { AsyncLocalStorage } from 'node:async_hooks';

/** What the scope needs to know about a transaction. */
interface Scoped {
  /** Whether its work must use nothing but its tables. */
  readonly isExclusive: boolean;
}

const scope = new AsyncLocalStorage<Scoped>();
/** Of this process. */
let openTransactions = 0;

/** Whether the caller runs inside a transaction. Costs nothing while there is none. */
export function isInsideTransaction(): boolean {
  return openTransactions > 0 && scope.getStore()?.isExclusive === true;
}

/** Rejects the use of an injected table inside a transaction: it would not see the transaction's changes. */
export function outsideTransaction(table: string): Promise<never> {
  return Promise.reject(
    new Error(
      `Inside a transaction, use its own table for "${table}": transaction.table(Entity), not the injected one`,
    ),
  );
}

/** Work whose promise was garbage-collected can never settle: it counts as ended. */
const forgotten = new FinalizationRegistry<void>(leave);

/** Runs `work` inside a transaction. */
export async function insideTransaction<Result>(transaction: Scoped, work: () => Promise<Result>): Promise<Result> {
  openTransactions += 1;
  const result = scope.run(transaction, work);
  forgotten.register(result, undefined, result);
  try {
    return await result;
  } finally {
    forgotten.unregister(result);
    leave();
  }
}

function leave(): void {
  openTransactions -= 1;
  // On Node 20, every promise of the process costs more as long as it is enabled.
  if (openTransactions === 0) scope.disable();
}
