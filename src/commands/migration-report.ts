import { migrationReport } from '../platform/database/open-database.js';

/** Reports what a migration waits for, so that the command does not seem to hang. */
export function reportWait(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Reports on standard error the migrations that a command ran before its own work. */
export function reportTo(database: string): (migrations: readonly string[]) => void {
  return (migrations) => void process.stderr.write(`${migrationReport(database, migrations)}\n`);
}
