import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs PgBouncer with the configuration file in the first argument, and prints a line when it listens on the port in the
 * second one. Ends PgBouncer when standard input closes, even because the parent process was killed.
 */
const [file, port] = process.argv.slice(2);

/** Ctrl+C signals the whole process group, but this process must first clean up, when its standard input closes. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
const log = [];
// PgBouncer refuses to run as root; 65534 is the user nobody.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const child = spawn('pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
child.stderr.on('data', (text) => log.push(text));
const exit = once(child, 'exit');

if (await listens()) {
  process.stdout.write('listening\n');
  await hasEnded;
  child.kill('SIGKILL');
} else {
  process.stderr.write(`PgBouncer did not start: ${log.join('')}`);
  process.exitCode = 1;
}
await exit;
process.exit();

async function listens() {
  while (child.exitCode === null) {
    const socket = connect(Number(port), '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return true;
    await delay(20);
  }
  return false;
}
