import { readConfig } from './config.js';
import { openDatabase } from './database/open-database.js';
import { sqliteFile } from './database/sqlite.js';
import { runCommand } from './run-command.js';

await runCommand(async () => {
  const { databaseUrl } = readConfig();
  const dataSource = await openDatabase(databaseUrl);
  await dataSource.destroy();
  process.stdout.write(`The database ${sqliteFile(databaseUrl)} is up to date.\n`);
});
