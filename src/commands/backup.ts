import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.js';
import { backUpSqlite } from '../platform/copy/backup-sqlite.js';
import { databaseName } from '../platform/database/open-database.js';
import { isPostgres } from '../platform/database/postgres/postgres.js';
import { readArguments } from '../platform/process/command-line.js';
import { runCommand } from '../platform/process/run-command.js';
import { printReport } from '../platform/process/standard-output.js';
import { StartError } from '../platform/process/start-error.js';

const HELP = `Usage: npm run backup -- --to FILE [--json]

Copies the SQLite database of DATABASE_URL into one file, also while the service runs: every pet that was acknowledged before
this command started is in it. To restore it, stop the service and put the file in place (docs/operations.md).

  --to FILE  a file that does not exist yet
  --json     print JSON for programs
  --help     print this
`;

await runCommand(HELP, async () => {
  const { to, json } = readOptions();
  const start = performance.now();
  const { databaseUrl } = readConfig();
  const database = databaseName(databaseUrl);
  if (isPostgres(databaseUrl)) {
    throw new StartError(`The database ${database} is not a file; back it up with pg_dump (docs/operations.md).`);
  }
  await backUpSqlite(database, to);
  const bytes = statSync(to).size;
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const text = `Backed up ${database} to ${to} in ${seconds} s: ${bytes.toLocaleString('en')} bytes, checked.`;
  await printReport(`${json ? JSON.stringify({ database, to, bytes, seconds }) : text}\n`);
});

function readOptions() {
  const { to, json } = readArguments('backup', {
    options: { to: { type: 'string' }, json: { type: 'boolean', default: false } },
  }).values;
  if (!to) throw new StartError('Give the file of the copy: npm run backup -- --to FILE.');
  return { to: resolve(to), json };
}
