import { existsSync } from 'node:fs';
import { BulkDatabase } from '../platform/copy/bulk-database.js';
import { type Copied, copyDatabase } from '../platform/copy/copy-database.js';
import { formatNumber } from '../platform/copy/progress.js';
import { reportWait } from './migration-report.js';
import { readConfig } from '../config.js';
import { databaseUrl } from '../config-values.js';
import { createDataSource } from '../data-source.js';
import type { DatabaseConfig } from '../platform/database/database-config.js';
import { isOutage } from '../platform/database/database-fault.js';
import { databaseName, openDatabase } from '../platform/database/open-database.js';
import { isPostgres } from '../platform/database/postgres/postgres.js';
import { readArguments } from '../platform/process/command-line.js';
import { runCommand } from '../platform/process/run-command.js';
import { printReport } from '../platform/process/standard-output.js';
import { StartError } from '../platform/process/start-error.js';

const DATABASE = 'DATABASE is sqlite:FILE or postgres://ADDRESS';
/** The codes of a duplicate key. */
const DUPLICATE = new Set(['23505', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
/** PostgreSQL's SQLSTATE classes of an invalid value, a violated constraint and an exceeded limit. */
const REFUSED = /^(22|23|54)[\dA-Z]{3}$/;

const HELP = `Usage: npm run db:copy -- [--from DATABASE] [--to DATABASE] [--leave-out NAMES] [--json], where ${DATABASE}

Copies every row and key of a database to another one, between SQLite and PostgreSQL or between two of the same kind, and
compares both. Run it again to finish an interrupted copy.

  --from DATABASE    what to copy; by default the database of DATABASE_URL
  --to DATABASE      where to; by default the database of COPY_TO_URL; a missing schema is created
  --leave-out NAMES  what the copy may lack, because no entity declares it: tables and columns, such as audit,pets.legacy
  --json             print JSON for programs
  --help             print this

Set the variables when an address has a password: every user of the machine can read the options of a process.
`;

/** One of the two databases. */
interface Side {
  readonly url: string;
  /** The option or variable that has the address, for messages. */
  readonly origin: string;
}

await runCommand(HELP, async () => {
  const { from, to, leftOut, json } = readOptions();
  const start = performance.now();
  const names = { from: databaseName(from.url), to: databaseName(to.url) };
  if (names.from === names.to)
    throw new StartError(
      `The database ${names.from} cannot be copied to itself; correct ${from.origin} or ${to.origin}.`,
    );
  if (!isPostgres(from.url) && !existsSync(names.from)) {
    throw new StartError(`The database ${names.from} does not exist; correct ${from.origin}.`);
  }
  const copied = await copy(from, to, leftOut);
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  await printReport(`${json ? JSON.stringify({ ...names, seconds, ...copied }) : summary(copied, names, seconds)}\n`);
});

function readOptions() {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    'leave-out': { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  const { from, to, 'leave-out': leftOut, json } = readArguments('db:copy', { options }).values;
  return {
    from: from === undefined ? { url: readConfig().databaseUrl, origin: 'DATABASE_URL' } : side('--from', from),
    to: to === undefined ? targetOfEnvironment() : side('--to', to),
    leftOut: leftOut?.split(',') ?? [],
    json,
  };
}

function targetOfEnvironment(): Side {
  const url = process.env.COPY_TO_URL?.trim();
  if (!url) {
    throw new StartError(`Give the target: set COPY_TO_URL=DATABASE, or add --to DATABASE, where ${DATABASE}.`);
  }
  return side('COPY_TO_URL', url);
}

function side(origin: string, url: string): Side {
  try {
    return { url: databaseUrl(url), origin };
  } catch (error) {
    throw new StartError(`The value of ${origin} ${(error as Error).message}.`);
  }
}

async function copy(from: Side, to: Side, leftOut: readonly string[]): Promise<Copied> {
  const source = await open(from, { migrate: false, keepsSchema: true });
  try {
    await source.refuseLosses(leftOut);
    const target = await open(to, { migrate: true, keepsSchema: true, copyFrom: source.name });
    try {
      return await copyDatabase(source, target);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw explained(error, databaseName(to.url));
  } finally {
    await source.close();
  }
}

async function open({ url, origin }: Side, options: Parameters<typeof openDatabase>[2]): Promise<BulkDatabase> {
  // No statement timeout: some statements read all rows.
  const config: DatabaseConfig = { ...readConfig(), databaseUrl: url, databaseStatementTimeout: 0 };
  const dataSource = await openDatabase(createDataSource, config, { ...options, waits: reportWait }).catch(
    (error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      // The address need not come from DATABASE_URL.
      throw new StartError(error.message.replaceAll('DATABASE_URL', origin), { cause: error });
    },
  );
  return BulkDatabase.of(dataSource, databaseName(url));
}

function explained(error: unknown, target: string): unknown {
  if (error instanceof StartError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  if (DUPLICATE.has(code)) {
    return new StartError(`Another process writes to ${target}; stop it and run this again.`, { cause: error });
  }
  if (REFUSED.test(code)) {
    return new StartError(
      `The database ${target} rejects a row (${message}); fix it in the source and run this again.`,
      {
        cause: error,
      },
    );
  }
  if (!isOutage(error)) return error;
  return new StartError(`A database became unavailable (${message}); run this again to resume the copy.`, {
    cause: error,
  });
}

function summary({ tables, resumed }: Copied, { from, to }: { from: string; to: string }, seconds: number): string {
  const counts = tables.map(({ name, rows }) => `${formatNumber(rows)} ${name}`).join(' and ');
  const what = resumed ? `Finished the copy of ${from}` : `Copied ${from}`;
  return `${what} to ${to} in ${seconds} s: ${counts}; counts and checksums match.`;
}
