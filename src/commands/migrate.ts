import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { databaseName, openDatabase } from '../platform/database/open-database.js';
import { runCommand } from '../platform/process/run-command.js';

await runCommand(async () => {
  const config = readConfig();
  const dataSource = await openDatabase(createDataSource, config, { migrate: true });
  await dataSource.destroy();
  process.stdout.write(`The database ${databaseName(config.databaseUrl)} is up to date.\n`);
});
