// A cluster on loopback: etcd, two PostgreSQL nodes under Patroni, and HAProxy. All its files are in one directory.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ClusterError, say } from './command.mjs';
import { assertInstalled, OWNER, POSTGRES } from './debian.mjs';
import { dataOf, DIRECTORY, NODES, PORTS } from './places.mjs';
import { childrenOf, cutPower, kill } from './processes.mjs';
import { ETCD_URL, etcd, haproxy, patroni } from './programs.mjs';
import { until } from './until.mjs';

const STATE = join(DIRECTORY, 'cluster.json');
/** The deployed configuration. */
const CONFIGURATION = join(import.meta.dirname, '../../../deploy/ha');

export class Cluster {
  #state;

  constructor(state) {
    this.#state = state;
  }

  /**
   * Starts a cluster and waits until both nodes have their roles. Removes it if that fails. Calls `begun` with the cluster
   * as soon as an interruption must clean it up.
   */
  static async up(begun = () => undefined) {
    assertInstalled();
    if (existsSync(DIRECTORY)) throw new ClusterError(`${DIRECTORY} already exists; remove it with "npm run ha:down".`);
    await assertFree();
    mkdirSync(DIRECTORY, { mode: 0o700 });
    for (const file of ['patroni.yml', 'haproxy.cfg']) copyFileSync(join(CONFIGURATION, file), join(DIRECTORY, file));
    if (OWNER) chownSync(DIRECTORY, OWNER.uid, OWNER.gid);
    const cluster = new Cluster({ pids: {}, passwords: { postgres: secret(), replicator: secret(), pets: secret() } });
    begun(cluster);
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      const log = cluster.#lastLines();
      await cluster.down();
      throw new ClusterError(`The cluster cannot be started: ${error.message}.${log}`, { cause: error });
    }
  }

  static find() {
    if (!existsSync(DIRECTORY)) throw new ClusterError('No cluster is running; start one with "npm run ha:up".');
    return new Cluster(existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : { pids: {}, passwords: {} });
  }

  get writeUrl() {
    return this.#urlOf(PORTS.write);
  }

  get readUrl() {
    return this.#urlOf(PORTS.read);
  }

  /** The direct address of the standby node. */
  standbyUrl(leader) {
    return this.#urlOf(PORTS[NODES.find((node) => node !== leader)]);
  }

  /** Waits for a leader and returns its node. */
  async leader() {
    let leader;
    await until('a leader', async () => {
      for (const node of NODES) if (await hasRole(node, 'primary')) leader = node;
      return leader !== undefined;
    });
    return leader;
  }

  /** Waits until the node is the leader's synchronous standby. */
  async untilStandby(node) {
    await until(`${node} to become the synchronous standby`, () => hasRole(node, 'synchronous'));
  }

  startNode(node) {
    this.#spawn(node, patroni(node, this.#state.passwords));
  }

  /** Kills Patroni and PostgreSQL, as a power cut would. */
  killNode(node) {
    const postmaster = postmasterOf(node);
    const backends = postmaster ? childrenOf(postmaster) : [];
    cutPower([this.#state.pids[node], postmaster, ...backends]);
  }

  async down() {
    const { pids } = this.#state;
    const all = () => [...Object.values(pids), ...NODES.map(postmasterOf)].filter(isOurs);
    // Patroni stops its PostgreSQL. First stop node2, usually the standby, which would otherwise take over.
    for (const name of ['haproxy', 'node2', 'node1', 'etcd']) {
      if (isOurs(pids[name])) kill(pids[name], 'SIGTERM');
      await untilGone(pids[name], 20_000);
    }
    cutPower(all());
    for (const pid of all()) await untilGone(pid, 5_000);
    rmSync(DIRECTORY, { recursive: true, force: true });
  }

  async #start() {
    this.#spawn('etcd', etcd());
    await until('etcd', () => isOk(`${ETCD_URL}/health`));
    say('etcd is up.');
    this.startNode('node1');
    await until('node1 to become the leader', () => hasRole('node1', 'primary'));
    say('node1 is the leader.');
    this.startNode('node2');
    await this.untilStandby('node2');
    say('node2 is the synchronous standby.');
    this.#spawn('haproxy', haproxy());
    await until('HAProxy', () => this.#createDatabase());
    say('HAProxy routes to the leader.');
  }

  #urlOf(port) {
    return `postgres://pets:${this.#state.passwords.pets}@127.0.0.1:${port}/pets`;
  }

  /** Returns false while HAProxy has no leader. */
  async #createDatabase() {
    const { passwords } = this.#state;
    const client = new pg.Client(`postgres://postgres:${passwords.postgres}@127.0.0.1:${PORTS.write}/postgres`);
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch {
      return false;
    }
    try {
      await client.query(`CREATE ROLE pets LOGIN PASSWORD '${passwords.pets}'`);
      await client.query('CREATE DATABASE pets OWNER pets');
      return true;
    } finally {
      await client.end();
    }
  }

  #spawn(name, { command: [program, ...args], env }) {
    const log = openSync(join(DIRECTORY, `${name}.log`), 'a');
    const child = spawn(program, args, {
      ...OWNER,
      cwd: DIRECTORY,
      env: { HOME: DIRECTORY, PATH: `${POSTGRES}:/usr/sbin:/usr/bin:/sbin:/bin`, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    child.unref();
    closeSync(log);
    this.#state.pids[name] = child.pid;
    writeFileSync(STATE, JSON.stringify(this.#state), { mode: 0o600 });
  }

  #lastLines() {
    return Object.keys(this.#state.pids)
      .map((name) => {
        const lines = readFileSync(join(DIRECTORY, `${name}.log`), 'utf8')
          .trimEnd()
          .split('\n');
        return `\n${name}: ${lines.slice(-3).join('\n  ')}`;
      })
      .join('');
  }
}

async function assertFree() {
  for (const port of Object.values(PORTS)) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening').catch(() => {
      throw new ClusterError(`Port ${port} is in use; stop the process that listens on it.`);
    });
    server.close();
  }
}

const secret = () => randomBytes(24).toString('hex');
/** Queries Patroni's REST API. */
const hasRole = (node, role) => isOk(`http://127.0.0.1:${PORTS[`${node}Rest`]}/${role}`);

async function isOk(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

function postmasterOf(node) {
  try {
    return Number(readFileSync(join(dataOf(node), 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** Whether the process is still ours and not a new one with the same id: ours work in our directory. */
function isOurs(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(DIRECTORY);
  } catch {
    return false;
  }
}

async function untilGone(pid, milliseconds) {
  const end = performance.now() + milliseconds;
  while (isOurs(pid) && performance.now() < end) await delay(50);
}
