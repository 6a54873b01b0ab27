import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds to wait for another process to release its lock, and between two attempts. */
const LOCK_WAIT = 500;
const LOCK_RETRY = 10;

/** Synchronous unless another process holds the lock; then waits without occupying the thread, as SQLite itself would. */
export function whenUnlocked<Result>(work: () => Result): Result | Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (isLocked(error)) return retry(work);
    throw error;
  }
}

async function retry<Result>(work: () => Result): Promise<Result> {
  const deadline = performance.now() + LOCK_WAIT;
  for (;;) {
    await delay(LOCK_RETRY);
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
  }
}

/** An error of SQLite, or one that it caused. */
function isLocked(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: { code?: string } };
  return [code, cause?.code ?? ''].some((each) => /^SQLITE_(BUSY|LOCKED)/.test(each));
}
