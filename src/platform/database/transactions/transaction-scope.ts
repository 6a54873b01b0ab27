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

/** Work that can never settle, because nothing refers to its promise any more, has ended as well. */
const forgotten = new FinalizationRegistry<void>(leave);

/** Runs `work` inside of a transaction. */
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
