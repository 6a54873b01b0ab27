import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Client, escapeIdentifier } from 'pg';

/**
 * Looks whether a server answers, and writes its address as a line. When standard input ends, be it that whoever started
 * this was killed, the databases go whose names begin with the second argument, and the directory named by the third.
 */
const [connectionString, prefix, directory] = process.argv.slice(2);

/** Whoever stops the run from a keyboard signals this process as well, which has an end of its own. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
await run('SELECT 1');
process.stdout.write(`${connectionString}\n`);
await hasEnded;
// One that was being made when the run was killed is there a little later.
for (let left = await ours(); left.length > 0; left = await ours()) {
  for (const { datname } of left) await run(`DROP DATABASE IF EXISTS ${escapeIdentifier(datname)} WITH (FORCE)`);
}
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

function ours() {
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
