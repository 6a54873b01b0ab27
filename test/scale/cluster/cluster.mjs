// A cluster on loopback: etcd, two PostgreSQL nodes under Patroni, HAProxy. All that it has is in one directory.
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ClusterError, say } from './command.mjs';
import { assertInstalled, HAPROXY, OWNER, POSTGRES } from './debian.mjs';
import { childrenOf, kill } from './processes.mjs';
import { until } from './until.mjs';

const DIRECTORY = join(tmpdir(), 'pet-store-ha');
const STATE = join(DIRECTORY, 'cluster.json');
/** The configuration that is deployed. */
const CONFIGURATION = join(import.meta.dirname, '../../../deploy/ha');

const PORTS = {
  write: 15_000,
  read: 15_001,
  etcd: 15_002,
  etcdPeer: 15_003,
  node1: 15_011,
  node1Rest: 15_012,
  node2: 15_021,
  node2Rest: 15_022,
};

const NODES = ['node1', 'node2'];

export class Cluster {
  #state;

  constructor(state) {
    this.#state = state;
  }

  /**
   * Makes one and waits until both nodes have their parts. Leaves nothing behind when that fails; whoever may be
   * interrupted meanwhile is told as soon as there is something to leave behind.
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
    if (!existsSync(DIRECTORY)) throw new ClusterError('No cluster runs; npm run ha:up starts one.');
    return new Cluster(existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : { pids: {}, passwords: {} });
  }

  get writeUrl() {
    return this.#urlOf(PORTS.write);
  }

  get readUrl() {
    return this.#urlOf(PORTS.read);
  }

  /** The address of the node that does not lead, past HAProxy. */
  standbyUrl(leader) {
    return this.#urlOf(PORTS[NODES.find((node) => node !== leader)]);
  }

  /** The node that leads, once there is one. */
  async leader() {
    let leader;
    await until('a leader', async () => {
      for (const node of NODES) if (await isTrue(node, 'primary')) leader = node;
      return leader !== undefined;
    });
    return leader;
  }

  /** Resolves when a commit on the leader waits for this node. */
  async followed(node) {
    await until(`${node} to follow`, () => isTrue(node, 'synchronous'));
  }

  startNode(node) {
    const { passwords } = this.#state;
    const address = `127.0.0.1:${PORTS[node]}`;
    const rest = `127.0.0.1:${PORTS[`${node}Rest`]}`;
    this.#spawn(node, ['/usr/bin/patroni', join(DIRECTORY, 'patroni.yml')], {
      PATRONI_NAME: node,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${PORTS.etcd}`,
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_POSTGRESQL_LISTEN: address,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: address,
      PATRONI_POSTGRESQL_BIN_DIR: POSTGRES,
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(node),
      PATRONI_POSTGRESQL_PGPASS: join(DIRECTORY, `${node}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.postgres,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replicator,
    });
  }

  /** As if its machine had lost its power. */
  killNode(node) {
    const postmaster = postmasterOf(node);
    const backends = postmaster ? childrenOf(postmaster) : [];
    for (const pid of [this.#state.pids[node], postmaster, ...backends]) kill(pid, 'SIGKILL');
  }

  async down() {
    const { pids } = this.#state;
    const all = () => [...Object.values(pids), ...NODES.map(postmasterOf)].filter(isOurs);
    // Patroni stops its PostgreSQL; the one that follows goes first, or it would take over.
    for (const name of ['haproxy', 'node2', 'node1', 'etcd']) {
      if (isOurs(pids[name])) kill(pids[name], 'SIGTERM');
      await gone(pids[name], 20_000);
    }
    for (const pid of all()) kill(pid, 'SIGKILL');
    for (const pid of all()) await gone(pid, 5_000);
    rmSync(DIRECTORY, { recursive: true, force: true });
  }

  async #start() {
    const client = `http://127.0.0.1:${PORTS.etcd}`;
    const peer = `http://127.0.0.1:${PORTS.etcdPeer}`;
    this.#spawn('etcd', ['/usr/bin/etcd'], {
      ETCD_NAME: 'etcd',
      ETCD_DATA_DIR: join(DIRECTORY, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: `etcd=${peer}`,
    });
    await until('etcd', () => isOk(`${client}/health`));
    say('etcd answers.');
    this.startNode('node1');
    await until('node1 to lead', () => isTrue('node1', 'primary'));
    say('node1 leads.');
    this.startNode('node2');
    await this.followed('node2');
    say('node2 follows, synchronously.');
    this.#spawn('haproxy', [HAPROXY, '-db', '-f', join(DIRECTORY, 'haproxy.cfg')], {
      HA_WRITE: String(PORTS.write),
      HA_READ: String(PORTS.read),
      ...Object.fromEntries(
        NODES.flatMap((node) => [
          [`HA_${node.toUpperCase()}`, String(PORTS[node])],
          [`HA_${node.toUpperCase()}_REST`, String(PORTS[`${node}Rest`])],
        ]),
      ),
    });
    await until('HAProxy', () => this.#createDatabase());
    say('HAProxy finds the leader.');
  }

  #urlOf(port) {
    return `postgres://pets:${this.#state.passwords.pets}@127.0.0.1:${port}/pets`;
  }

  /** False as long as HAProxy knows no leader. */
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

  #spawn(name, [command, ...args], env = {}) {
    const log = openSync(join(DIRECTORY, `${name}.log`), 'a');
    const child = spawn(command, args, {
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
const dataOf = (node) => join(DIRECTORY, node);
const isTrue = (node, part) => isOk(`http://127.0.0.1:${PORTS[`${node}Rest`]}/${part}`);

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

/** Whether the process is still the one that was started: it works in our directory. */
function isOurs(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(DIRECTORY);
  } catch {
    return false;
  }
}

async function gone(pid, milliseconds) {
  const end = performance.now() + milliseconds;
  while (isOurs(pid) && performance.now() < end) await delay(50);
}
