/** Reports what a migration waits for, so that the command does not seem to hang. */
export function reportWait(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** What a command did to the schema, in one sentence. */
export function migrationReport(database: string, migrations: readonly string[]): string {
  return `Ran ${migrations.join(', ')}; the database ${database} is up to date.`;
}

/** Reports on standard error the migrations that a command ran before its own work. */
export function reportTo(database: string): (migrations: readonly string[]) => void {
  return (migrations) => {
    if (migrations.length > 0) process.stderr.write(`${migrationReport(database, migrations)}\n`);
  };
}
