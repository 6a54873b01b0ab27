import { TransientStorage } from '../../process/transient-storage.js';

/** What the scope needs to know about a transaction. */
interface Scoped {
  /** Whether its work must use nothing but its tables. */
  readonly isExclusive: boolean;
  /** Rejects a statement that it must not contain, and fails with it. */
  refuse(error: Error): Promise<never>;
}

const scope = new TransientStorage<Scoped>();

/** Whether the caller runs inside a transaction. Costs nothing while there is none. */
export function isInsideTransaction(): boolean {
  return scope.current?.isExclusive === true;
}

/** Rejects the use of an injected table inside a transaction: it would not see the transaction's changes. */
export function outsideTransaction(table: string): Promise<never> {
  return refusedInside(
    `Inside a transaction, use its own table for "${table}": transaction.table(Entity), not the injected one`,
  );
}

/** Rejects what a transaction must not contain, which ends it like a statement that fails. Only inside of one. */
export function refusedInside(message: string): Promise<never> {
  return scope.current!.refuse(new Error(message)); // The caller has checked that it is inside.
}

/** Runs `work` inside a transaction. */
export function insideTransaction<Result>(transaction: Scoped, work: () => Promise<Result>): Promise<Result> {
  const result = scope.enter(transaction, () => started(work));
  const leave = (): void => {
    forgotten.unregister(result);
    scope.leave();
  };
  result.then(leave, leave);
  return result;
}

const forgotten = new FinalizationRegistry<void>(() => scope.leave());

/** For work that has not ended in time. When its promise was garbage-collected, it can never settle, and counts as ended. */
export function leaveWhenForgotten(work: Promise<unknown>): void {
  forgotten.register(work, undefined, work);
}

/** Rejects where `work` throws. Not an async function, whose promise would cost each call more. */
export function started<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
