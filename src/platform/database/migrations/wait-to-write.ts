import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../process/start-error.js';
import { LockWait, type ReportWait } from './lock-wait.js';

/** Milliseconds between two attempts, each of which waits for the busy timeout of the connection as well. */
const PAUSE = 100;
/** Milliseconds of all attempts, as on PostgreSQL. */
const LIMIT = 600_000;

const LOCKED =
  'Waiting for another process that is writing to the database; end its transaction, or the migration fails after ten minutes.';

/** Repeats a statement that changes nothing when it fails, while another process holds SQLite's lock for writing. */
export async function waitToWrite<Result>(waits: ReportWait | undefined, work: () => Promise<Result>): Promise<Result> {
  const wait = new LockWait(waits);
  const deadline = performance.now() + LIMIT;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') !== true) throw error;
      if (performance.now() >= deadline)
        throw new StartError(
          'Another process has been writing to the database for ten minutes; end its transaction, and migrate again.',
          { cause: error },
        );
    }
    wait.reportIfDue(LOCKED);
    await delay(PAUSE);
  }
}
