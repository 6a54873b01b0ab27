import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterError } from './cluster/command.mjs';
import { HAPROXY } from './cluster/debian.mjs';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/haproxy.cfg');

/** HAProxy in front of two replicas on loopback, by default with the configuration in `deploy`. */
export class Haproxy {
  #directory = mkdtempSync(join(tmpdir(), 'pet-store-haproxy-'));
  #process;
  #exit;
  #errors = '';
  /** A line for each request that failed, and for each change of a replica. */
  log = '';

  constructor({ port, a, b, configuration = CONFIGURATION }) {
    this.#process = spawn(HAPROXY, ['-db', '-f', configuration], {
      env: {
        PETS_LISTEN: `127.0.0.1:${port}`,
        PETS_A: `127.0.0.1:${a}`,
        PETS_B: `127.0.0.1:${b}`,
        HAPROXY_ADMIN: this.#socket,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = once(this.#process, 'exit');
    this.#process.stdout.setEncoding('utf8').on('data', (text) => (this.log += text));
    this.#process.stderr.setEncoding('utf8').on('data', (text) => (this.#errors += text));
  }

  /** The columns of HAProxy's "show stat", by replica. */
  async replicas() {
    const [names, ...rows] = (await this.#command('show stat')).split('\n').map((line) => line.split(','));
    const records = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
    return Object.fromEntries(
      records.filter((record) => record['# pxname'] === 'pets').map((record) => [record.svname, record]),
    );
  }

  async isUp(replica) {
    if (this.#process.exitCode !== null) throw new ClusterError(`HAProxy ended: ${this.#errors.trim()}`);
    try {
      return (await this.replicas())[replica].status === 'UP';
    } catch {
      return false;
    }
  }

  async stop() {
    this.#process.kill('SIGTERM');
    await this.#exit;
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #socket() {
    return join(this.#directory, 'admin.sock');
  }

  async #command(text) {
    const socket = connect(this.#socket);
    let output = '';
    socket.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    socket.end(`${text}\n`);
    await once(socket, 'close');
    return output;
  }
}
