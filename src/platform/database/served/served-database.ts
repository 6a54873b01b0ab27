import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../process/start-error.js';
import { SqliteLock } from '../sqlite/files/sqlite-lock.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { Opening } from './opening.js';
import { isPassing } from './passing-outage.js';

/** Maximum milliseconds before the second attempt, and before any later one; each pause is twice the one before. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

/** Opens and checks the DataSource; calls `claim` with the name of an SQLite file before it uses it. */
type Open = (claim: (file: string) => void) => Promise<unknown>;

/**
 * The database of a running service. If PostgreSQL is unavailable at the start, it is opened later: until then every use
 * fails with DatabaseUnavailable.
 */
export class ServedDatabase implements Opening, OnApplicationBootstrap {
  readonly #logger = new Logger('Database');
  readonly #stopping = new AbortController();
  readonly #preparations: (() => void | Promise<void>)[] = [];
  #lock?: SqliteLock;
  #isOpen = false;
  /** Whether tables use its connections: then it must not be closed and opened again, only prepared. */
  #isInUse = false;
  /** Why the last attempt failed. */
  #outage: unknown;
  /** Resolves when the database is open, or will never be. Rejects when it must not be used, which ends the service. */
  opened: Promise<void> = Promise.resolve();

  /** Throws a StartError when waiting cannot help. */
  static async open(dataSource: DataSource, open: Open): Promise<ServedDatabase> {
    const database = new ServedDatabase(dataSource, open);
    await database.#attempt();
    return database;
  }

  private constructor(
    readonly dataSource: DataSource,
    private readonly open: Open,
  ) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  unavailable(): DatabaseUnavailable {
    return new DatabaseUnavailable(this.#outage);
  }

  whenOpen<Done extends void | Promise<void>>(prepare: () => Done): Done | undefined {
    if (this.#isOpen) {
      const done = prepare();
      if (!(done instanceof Promise)) return done;
      return done.catch((error: unknown) => this.#prepareLater(prepare, error)) as Done;
    }
    this.#preparations.push(prepare);
    return undefined;
  }

  /** After the database has become unavailable, or too slow, between its opening and its last preparation. */
  #prepareLater(prepare: () => void | Promise<void>, error: unknown): void {
    this.#outage = this.#reasonToWait(error);
    this.#isOpen = false;
    this.#isInUse = true;
    this.#preparations.push(prepare);
  }

  /** Nest calls it after everything has registered its preparation. */
  onApplicationBootstrap(): void {
    if (this.#isOpen) return;
    this.opened = this.#retry();
    // main.ts awaits it. Tests need not: this keeps a rejection from ending their process.
    this.opened.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#disconnect();
    this.#lock?.release();
  }

  async #retry(): Promise<void> {
    this.#logger.warn(
      { reason: reasonOf(this.#outage) },
      'The database is unavailable; requests fail with 503 until it responds.',
    );
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      // At random, so that replicas that start together do not connect together.
      await delay(pause * (0.5 + Math.random() / 2), undefined, { ref: false });
      if (this.#stopping.signal.aborted) return;
      try {
        await this.#attempt();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        throw error;
      }
      if (this.#stopping.signal.aborted) return this.#disconnect();
      if (this.#isOpen) break;
    }
    this.#logger.log('The database is open.');
  }

  async #attempt(): Promise<void> {
    try {
      if (!this.#isInUse) {
        await this.open((file) => (this.#lock ??= SqliteLock.take(file)));
      }
      for (const prepare of this.#preparations) await prepare();
      this.#isOpen = true;
    } catch (error) {
      if (!this.#isInUse) await this.#disconnect();
      this.#outage = this.#reasonToWait(error);
    }
  }

  /** Throws an error that waiting cannot help, such as any error of a file. */
  #reasonToWait(error: unknown): unknown {
    if (this.dataSource.options.type === 'postgres') {
      if (error instanceof DatabaseUnavailable) return error.cause;
      if (error instanceof StartError && error.cause !== undefined && isPassing(error.cause)) return error.cause;
    }
    this.#lock?.release();
    throw error;
  }

  async #disconnect(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
