import { Logger } from '@nestjs/common';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import type { Migration } from 'typeorm/migration/Migration.js';
import { reasonOf } from '../../errors/reason-of.js';
import { placeInSource } from '../../process/place-in-source.js';
import { StartError } from '../../process/start-error.js';
import { sqlStateOf } from '../postgres/postgres-fault.js';
import type { MigrationRunner } from './runners/migration-runner.js';
import { WatchedCalls } from './watched-calls.js';

/** Whether a migration runs, or is undone. */
type Direction = 'up' | 'down';

const logger = new Logger('Database');

/**
 * Does `work`, which runs the migration, in a transaction, unless the migration has none. Throws a StartError that names the
 * migration, also when it does not await a statement, or has none to undo it.
 */
export async function inItsTransaction(
  { name, instance }: Migration,
  runner: MigrationRunner,
  direction: Direction,
  work: (run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const its = instance!; // TypeORM sets it for the migrations of a release.
  const hasTransaction = its.transaction !== false;
  // Only where it fails: finding the place reads every file of the sources.
  const subject = (): string => {
    const place = placeInSource(its.constructor.name);
    return place === undefined ? name : `${place} ${name}`;
  };
  const calls = new WatchedCalls(runner);
  const refuseFault = (): void => {
    if (calls.fault !== undefined) throw new Error(calls.fault);
  };
  const run = async () => {
    await calls.during((watched) => its[direction](watched));
    refuseFault();
    // Otherwise `up` would run again on what it left the first time.
    if (direction === 'down' && !calls.hasAny) throw new StartError(`${subject()} ${UNDOES_NOTHING}.`);
    if ((await runner.isInTransaction()) === hasTransaction) return;
    // Otherwise its changes would be lost, or kept although it fails.
    throw new StartError(`${subject()} ${hasTransaction ? ENDED_ITSELF : LEFT_OPEN}.`);
  };
  let isEnding = false;
  try {
    if (hasTransaction) await runner.startTransaction();
    await work(run);
    // Without a transaction, what it did and its record stay.
    if (hasTransaction) refuseFault();
    isEnding = true;
    if (hasTransaction) await runner.commitTransaction();
    calls.end((statement) => logger.error(`${subject()} started ${shown(statement)} ${GOES_ON}.`));
  } catch (error) {
    // SQLite ends the transaction itself after some errors, and a lost connection cannot end it.
    if (hasTransaction) await runner.rollbackTransaction().catch(() => undefined);
    if (error instanceof StartError) throw error;
    // When the connection is lost at the end, the database may have committed.
    const outcome = isEnding ? ENDED : OUTCOMES[direction][hasTransaction ? 'transaction' : 'none'];
    const { fault } = calls;
    // A statement that it awaits may only have failed because of one that it does not await.
    if (fault !== undefined) throw new StartError(`${subject()} ${outcome}: ${fault}; await each statement.`);
    throw new StartError(`${subject()} ${outcome}: ${reasonOf(error)}; correct it, or the rows that it changes.`, {
      // A start waits if the cause says that the database is down. Whatever else a migration throws, waiting cannot help.
      cause: isOfDatabase(error) ? error : undefined,
    });
  }
}

/** Whether a statement failed, rather than the code of the migration. Its own client throws errors without TypeORM's class. */
function isOfDatabase(error: unknown): boolean {
  // TypeORM releases a runner whose connection was lost between two statements.
  const isLost = error instanceof QueryRunnerAlreadyReleasedError;
  return isLost || error instanceof QueryFailedError || sqlStateOf(error) !== undefined;
}

const ENDED = 'failed at the end of its transaction';

const ENDED_ITSELF =
  'ends its transaction by a statement, and may be half done; remove that statement, or set transaction = false';

const LEFT_OPEN = 'begins a transaction that it does not end, so that nothing of it stays; commit it';

const UNDOES_NOTHING =
  'was not undone, because its method "down" runs no statement; let it undo "up", or run SELECT 1 if there is nothing to undo';

const shown = (statement?: string): string => (statement === undefined ? 'a statement' : `a statement (${statement})`);

const GOES_ON = 'after it had ended, which therefore did not run; await each statement, and correct the database';

const OUTCOMES = {
  up: {
    transaction: 'failed and was undone',
    none: 'failed and may be half done, because it has no transaction',
  },
  down: {
    transaction: 'could not be undone, and stays as it was',
    none: 'could not be undone, and may be half undone, because it has no transaction',
  },
} as const;
