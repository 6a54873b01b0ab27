import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { OWNER, POSTGRES } from './cluster/debian.mjs';
import { petReads } from './cluster/service/pet-reads.mjs';
import { childrenOf, cutPower, kill } from './cluster/processes.mjs';
import { until } from './cluster/until.mjs';
import { freePort } from './free-port.mjs';

const ADMIN = 'administrator';

/** A PostgreSQL from Debian's package that can be made to fail. */
export class Postgres {
  #directory = mkdtempSync(join(tmpdir(), 'pet-store-postgres-'));
  #password = randomBytes(24).toString('hex');
  #settings = [];
  #server;
  #exit;

  async create() {
    this.port = await freePort();
    const passwordFile = join(this.#directory, 'password');
    writeFileSync(passwordFile, this.#password, { mode: 0o600 });
    if (OWNER) for (const file of [this.#directory, passwordFile]) chownSync(file, OWNER.uid, OWNER.gid);
    const options = ['-U', ADMIN, '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--locale', 'C.UTF-8'];
    execFileSync(`${POSTGRES}/initdb`, ['-D', this.#data, ...options], { ...OWNER, cwd: this.#directory });
    await this.start();
    await this.#query(`CREATE ROLE pets LOGIN PASSWORD '${this.#password}'`);
    await this.#query('CREATE DATABASE pets OWNER pets');
  }

  /** Creates it as a standby that lags by `lag` milliseconds. */
  async follow(primary, lag) {
    this.port = await freePort();
    this.#password = primary.#password;
    this.#settings = [`-crecovery_min_apply_delay=${lag}`];
    if (OWNER) chownSync(this.#directory, OWNER.uid, OWNER.gid);
    const options = ['-D', this.#data, '-d', primary.adminUrl, '--checkpoint=fast', '--write-recovery-conf'];
    execFileSync(`${POSTGRES}/pg_basebackup`, options, { ...OWNER, cwd: this.#directory });
    await this.start();
  }

  /** The address for the service, whose role only owns its database. */
  get url() {
    return this.#urlOf('pets', 'pets');
  }

  /** The address of another database, for a superuser. */
  get adminUrl() {
    return this.#urlOf(ADMIN, 'postgres');
  }

  /** The directory of its data. */
  get data() {
    return this.#data;
  }

  /** Resolves when it accepts connections. */
  async start() {
    const options = [`-p${this.port}`, '-clisten_addresses=127.0.0.1', `-cunix_socket_directories=${this.#directory}`];
    this.#server = spawn(`${POSTGRES}/postgres`, ['-D', this.#data, ...options, ...this.#settings], {
      ...OWNER,
      cwd: this.#directory,
      stdio: 'ignore',
    });
    this.#exit = once(this.#server, 'exit');
    const isUp = () =>
      this.#query('SELECT 1').then(
        () => true,
        () => false,
      );
    await until('PostgreSQL', isUp, { every: 20 });
  }

  /** Stops it as an operator does: aborts transactions and closes connections. */
  async stop() {
    kill(this.#server.pid, 'SIGINT');
    await this.#exit;
  }

  /** Kills it, as a power cut would. */
  async crash() {
    cutPower(this.#pids());
    await this.#exit;
  }

  /** Makes it unresponsive: it keeps its connections and accepts new ones, but sends nothing. */
  freeze() {
    this.#signalAll('SIGSTOP');
  }

  thaw() {
    this.#signalAll('SIGCONT');
  }

  /** Terminates every connection of the service, even during statements. Resolves with their number. */
  async cut() {
    const { rowCount } = await this.#query(
      `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE "application_name" = 'pet-store'`,
    );
    return rowCount;
  }

  /** The number of index scans on pets since it started; the statistics lag a little. */
  reads() {
    return petReads(this.url);
  }

  async remove() {
    if (this.#server) await this.crash();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #data() {
    return join(this.#directory, 'data');
  }

  #urlOf(role, database) {
    return `postgres://${role}:${this.#password}@127.0.0.1:${this.port}/${database}`;
  }

  async #query(statement) {
    const client = new pg.Client({ connectionString: this.adminUrl, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** The server and its processes; none after its end. */
  #pids() {
    const { pid, exitCode, signalCode } = this.#server;
    return exitCode !== null || signalCode !== null ? [] : [pid, ...childrenOf(pid)];
  }

  #signalAll(signal) {
    for (const pid of this.#pids()) kill(pid, signal);
  }
}
