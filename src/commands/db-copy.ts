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

const HELP = `Usage: npm run db:copy -- --from DATABASE --to DATABASE [--leave-out NAMES] [--json], where ${DATABASE}

Copies every row and key of a database to another one, between SQLite and PostgreSQL or between two of the same kind, and
compares both. Run it again to finish an interrupted copy.

  --from DATABASE    what to copy
  --to DATABASE      where to; a missing schema is created
  --leave-out NAMES  what the copy may lack, because no entity declares it: tables and columns, such as audit,pets.legacy
  --json             print JSON for programs
  --help             print this
`;

await runCommand(HELP, async () => {
  const { from, to, leftOut, json } = readOptions();
  const start = performance.now();
  const names = { from: databaseName(from), to: databaseName(to) };
  if (names.from === names.to)
    throw new StartError(`The database ${names.from} cannot be copied to itself; choose another --to.`);
  if (!isPostgres(from) && !existsSync(names.from)) {
    throw new StartError(`The database ${names.from} does not exist; correct --from.`);
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
  if (from === undefined || to === undefined)
    throw new StartError(`Give both databases: npm run db:copy -- --from DATABASE --to DATABASE, where ${DATABASE}.`);
  return { from: address('--from', from), to: address('--to', to), leftOut: leftOut?.split(',') ?? [], json };
}

function address(option: string, value: string): string {
  try {
    return databaseUrl(value);
  } catch (error) {
    throw new StartError(`The value of ${option} ${(error as Error).message}.`);
  }
}

async function copy(from: string, to: string, leftOut: readonly string[]): Promise<Copied> {
  const source = await open('--from', from, { migrate: false, keepsSchema: true });
  try {
    await source.refuseLosses(leftOut);
    const target = await open('--to', to, { migrate: true, keepsSchema: true, copyFrom: source.name });
    try {
      return await copyDatabase(source, target);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw explained(error, databaseName(to));
  } finally {
    await source.close();
  }
}

async function open(option: string, url: string, options: Parameters<typeof openDatabase>[2]): Promise<BulkDatabase> {
  // No statement timeout: some statements read all rows.
  const config: DatabaseConfig = { ...readConfig(), databaseUrl: url, databaseStatementTimeout: 0 };
  const dataSource = await openDatabase(createDataSource, config, { ...options, waits: reportWait }).catch(
    (error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      // The address comes from an option here, not from DATABASE_URL.
      throw new StartError(error.message.replaceAll('DATABASE_URL', option), { cause: error });
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
