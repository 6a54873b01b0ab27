import { formatNumber, Progress } from '../platform/copy/progress.js';
import { reportTo, reportWait } from './migration-report.js';
import { realisticPet } from './realistic-pet.js';
import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { databaseName, openDatabase } from '../platform/database/open-database.js';
import { openTable } from '../platform/database/open-table.js';
import { PetEntity } from '../pets/pet.entity.js';
import { isPostgres } from '../platform/database/postgres/postgres.js';
import { readArguments } from '../platform/process/command-line.js';
import { runCommand } from '../platform/process/run-command.js';
import { printReport } from '../platform/process/standard-output.js';
import { StartError } from '../platform/process/start-error.js';

/** Pets per transaction. */
const BATCH = 5_000;

const HELP = `Usage: npm run seed -- --pets NUMBER [--json]

Adds pets with common and rare names to the database of DATABASE_URL, for trials and measurements.

  --pets NUMBER  how many to add
  --json         print JSON for programs
  --help         print this
`;

await runCommand(HELP, async () => {
  const { pets, json } = readOptions();
  const start = performance.now();
  const config = readConfig();
  // No statement timeout: a statement inserts thousands of rows.
  const dataSource = await openDatabase(
    createDataSource,
    { ...config, databaseStatementTimeout: 0 },
    {
      migrate: !isPostgres(config.databaseUrl),
      keepsSchema: true,
      report: reportTo(databaseName(config.databaseUrl)),
      waits: reportWait,
    },
  );
  try {
    const table = openTable(dataSource, PetEntity);
    const progress = new Progress('adding pets', pets);
    for (let done = 0; done < pets; progress.step(done)) {
      const count = Math.min(BATCH, pets - done);
      // Concurrent inserts share a commit.
      await Promise.all(Array.from({ length: count }, () => table.insert(realisticPet())));
      done += count;
    }
    progress.end(pets);
  } finally {
    await dataSource.destroy();
  }
  const database = databaseName(config.databaseUrl);
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const text = `Added ${formatNumber(pets)} pets to ${database} in ${seconds} s.`;
  await printReport(`${json ? JSON.stringify({ database, pets, seconds }) : text}\n`);
});

function readOptions() {
  const { pets, json } = readArguments('seed', {
    options: { pets: { type: 'string' }, json: { type: 'boolean', default: false } },
  }).values;
  if (pets === undefined) throw new StartError('Give the number of pets: npm run seed -- --pets NUMBER.');
  if (!/^[1-9]\d{0,9}$/.test(pets))
    throw new StartError(`The option --pets must be a whole number from 1 to 9999999999, not ${JSON.stringify(pets)}.`);
  return { pets: Number(pets), json };
}
