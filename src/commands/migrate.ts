import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { databaseName, migrationReport, openDatabase } from '../platform/database/open-database.js';
import { undoLastMigration } from '../platform/database/undo-migration.js';
import { readArguments } from '../platform/process/command-line.js';
import { StartError } from '../platform/process/start-error.js';
import { runCommand } from '../platform/process/run-command.js';
import { print, printAnswer, printReport } from '../platform/process/standard-output.js';
import { reportWait } from './migration-report.js';

const HELP = `Usage: npm run migrate -- [--undo NAME] [--json]

Brings the schema of the database of DATABASE_URL up to date, and prints the migrations that it ran. When several processes
migrate, one works and the others wait. The previous release keeps working meanwhile and afterwards.

  --undo NAME  undo this migration instead, which loses what it stored; it must be the one that ran last; stop the service
               first; without NAME, this only prints the migration that ran last
  --json       print JSON for programs
  --help       print this
`;

const OPTIONS = { json: { type: 'boolean', default: false }, undo: { type: 'boolean', default: false } } as const;

await runCommand(HELP, async () => {
  const { values, positionals } = readArguments('migrate', { options: OPTIONS, allowPositionals: true });
  const { json, undo } = values;
  const [name, other = undo ? undefined : name] = positionals;
  if (other !== undefined) throw new StartError(`The argument "${other}" is unknown; remove it.`);
  const config = readConfig();
  const database = databaseName(config.databaseUrl);
  if (undo) {
    let last = '';
    const confirm = (migration: string) => {
      last = migration;
      return isNamed(last, name, database);
    };
    const undone = await undoLastMigration(createDataSource, config, confirm, reportWait);
    if (undone === undefined)
      await printAnswer(`${json ? JSON.stringify({ database, last }) : hint(database, last)}\n`);
    else await printReport(`${json ? JSON.stringify({ database, undone }) : `Undid ${undone} of ${database}.`}\n`);
    return;
  }
  const migrations: string[] = [];
  const textOf = (text: string) => `${json ? JSON.stringify({ database, migrations }) : text}\n`;
  try {
    const dataSource = await openDatabase(createDataSource, config, {
      migrate: true,
      waits: reportWait,
      report: (names) => migrations.push(...names),
    });
    await dataSource.destroy();
  } catch (error) {
    // They stay, even though the command fails.
    if (migrations.length > 0) await print(textOf(migrationReport(database, migrations)));
    throw error;
  }
  await printReport(textOf(summary(database, migrations)));
});

/** False without a name: then the command only asks. Throws for another name, so that a repetition undoes nothing more. */
function isNamed(last: string, name: string | undefined, database: string): boolean {
  if (name !== undefined && name !== last)
    throw new StartError(
      `Nothing was undone: the last migration of ${database} is ${last}, not ${name}; to undo ${last}, run "npm run migrate -- --undo ${last}".`,
    );
  return name === last;
}

function hint(database: string, last: string): string {
  return `${last} is the last migration of ${database}; run "npm run migrate -- --undo ${last}" to undo it and to lose what it stored.`;
}

function summary(database: string, migrations: readonly string[]): string {
  if (migrations.length === 0) return `The database ${database} was up to date; no migration ran.`;
  return `Ran ${migrations.join(', ')}; the database ${database} is up to date.`;
}
