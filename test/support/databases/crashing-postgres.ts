import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { type RunningPostgres, runPostgres } from './run-postgres.js';

/** A PostgreSQL of its own, which a test can end. It starts again by itself. */
export class CrashingPostgres {
  static async start(): Promise<CrashingPostgres> {
    const directory = join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);
    const log = `${directory}-log`;
    mkdirSync(log);
    // PostgreSQL may run as another user.
    chmodSync(log, 0o777);
    const server = await runPostgres(directory, { walDirectory: join(log, 'wal'), alsoRemove: [log] });
    return new CrashingPostgres(directory, server);
  }

  private constructor(
    private readonly directory: string,
    private readonly server: RunningPostgres,
  ) {}

  get url(): string {
    return this.server.url;
  }

  /** With SIGINT, it ends its connections as for a restart. Resolves when it is back. */
  async end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const before = this.#pid();
    process.kill(before, signal);
    while (this.#pid() === before || !(await this.#isUp())) await delay(50);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Of the server; 0 while there is none. */
  #pid(): number {
    try {
      return Number(readFileSync(join(this.directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  }

  async #isUp(): Promise<boolean> {
    const connection = new Connection(this.url).on('error', () => {});
    try {
      await connection.connect();
      return true;
    } catch {
      return false;
    } finally {
      await connection.end();
    }
  }
}
