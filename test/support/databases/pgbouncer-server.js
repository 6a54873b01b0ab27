import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs PgBouncer by the configuration file named by the first argument, and writes a line when it listens on the port of
 * the second one. When standard input ends, be it that whoever started this was killed, PgBouncer ends.
 */
const [file, port] = process.argv.slice(2);

/** Whoever stops the run from a keyboard signals this process as well, which has an end of its own. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const hasEnded = once(process.stdin.resume(), 'close');
const said = [];
// It refuses to run as root, and owns nothing.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const child = spawn('pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
child.stderr.on('data', (text) => said.push(text));
const exit = once(child, 'exit');

if (await listens()) {
  process.stdout.write('listening\n');
  await hasEnded;
  child.kill('SIGKILL');
} else {
  process.stderr.write(`PgBouncer did not start: ${said.join('')}`);
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
