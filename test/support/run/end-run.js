import { rmSync } from 'node:fs';
import { stopPostgres } from './start-postgres.js';

export default async function endRun() {
  await stopPostgres();
  rmSync(process.env.TEST_RUN_DIRECTORY, { recursive: true, force: true });
}
