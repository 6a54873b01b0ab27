import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { databaseName, openDatabase } from '../platform/database/open-database.js';
import { undoLastMigration } from '../platform/database/undo-migration.js';
import { readArguments } from '../platform/process/command-line.js';
import { runCommand } from '../platform/process/run-command.js';
import { printReport } from '../platform/process/standard-output.js';
import { migrationReport } from './migration-report.js';

const HELP = `Usage: npm run migrate -- [--undo] [--json]

Brings the schema of the database of DATABASE_URL up to date, and prints the migrations that it ran. When several processes
migrate, one works and the others wait. The previous release keeps working meanwhile and afterwards.

  --undo  undo the last migration of the database instead, and what it stored, and print its name; stop the service before
  --json  print JSON for programs
  --help  print this
`;

const OPTIONS = { json: { type: 'boolean', default: false }, undo: { type: 'boolean', default: false } } as const;

await runCommand(HELP, async () => {
  const { json, undo } = readArguments('migrate', { options: OPTIONS }).values;
  const config = readConfig();
  const database = databaseName(config.databaseUrl);
  if (undo) {
    const undone = await undoLastMigration(createDataSource, config);
    await printReport(`${json ? JSON.stringify({ database, undone }) : `Undid ${undone} of ${database}.`}\n`);
    return;
  }
  const migrations: string[] = [];
  const dataSource = await openDatabase(createDataSource, config, {
    migrate: true,
    report: (names) => migrations.push(...names),
  });
  await dataSource.destroy();
  await printReport(`${json ? JSON.stringify({ database, migrations }) : summary(database, migrations)}\n`);
});

function summary(database: string, migrations: readonly string[]): string {
  if (migrations.length === 0) return `The database ${database} was up to date; no migration ran.`;
  return migrationReport(database, migrations);
}
