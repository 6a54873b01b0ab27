import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Client, escapeIdentifier } from 'pg';

/**
 * Checks that a server is reachable, and prints its address. When standard input closes, even because the parent process
 * was killed, drops the databases whose names begin with the second argument and removes the directory in the third.
 */
const [connectionString, prefix, directory] = process.argv.slice(2);

/** Ctrl+C signals the whole process group, but this process must first clean up, when its standard input closes. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
await run('SELECT 1');
process.stdout.write(`${connectionString}\n`);
await hasEnded;
// Repeat: a database that was being created when the run was killed appears a little later.
for (let left = await testDatabases(); left.length > 0; left = await testDatabases()) {
  for (const { datname } of left) await run(`DROP DATABASE IF EXISTS ${escapeIdentifier(datname)} WITH (FORCE)`);
}
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

function testDatabases() {
  return run('SELECT "datname" FROM "pg_database" WHERE starts_with("datname", $1)', [prefix]);
}

async function run(statement, values) {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
