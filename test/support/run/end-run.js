import { removeRunDirectory } from './create-run-directory.js';
import { stopPostgres } from './start-postgres.js';

export default async function endRun() {
  await stopPostgres();
  removeRunDirectory();
}
