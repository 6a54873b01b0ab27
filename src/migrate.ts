import { readConfig } from './config.js';
import { databaseName, openDatabase } from './database/open-database.js';
import { runCommand } from './run-command.js';

await runCommand(async () => {
  const config = readConfig();
  const dataSource = await openDatabase(config, { migrate: true });
  await dataSource.destroy();
  process.stdout.write(`The database ${databaseName(config.databaseUrl)} is up to date.\n`);
});
