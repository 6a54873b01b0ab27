import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { hashApiKey } from './api-key.js';
import type { ServedDatabase } from '../platform/database/served/served-database.js';
import { ApiKeys } from './api-keys.js';

/** Milliseconds between refreshes: a change in the database takes effect within a second, query time included. */
const REFRESH = 500;

/** The accepted keys, kept in memory: checking a key costs one hash and no query. */
@Injectable()
export class AcceptedKeys implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('AcceptedKeys');
  /** Hashes of `API_KEYS`. */
  readonly #configured: readonly string[];
  /** Hashes. */
  #accepted: ReadonlySet<string> = new Set();
  /** Keys accepted since the last refresh, which need no second hash. */
  readonly #seen = new Set<string>();
  #timer?: NodeJS.Timeout;
  /** Whether the last refresh failed. */
  #isOutdated = false;

  constructor(
    private readonly keys: ApiKeys,
    private readonly database: ServedDatabase,
    configured: readonly string[],
  ) {
    this.#configured = configured.map(hashApiKey);
    this.#accepted = new Set(this.#configured);
  }

  /** A database that is opened later is not ready before its keys are known. */
  async onModuleInit(): Promise<void> {
    await this.database.whenOpen(async () => {
      await this.refresh();
      if (!this.#timer) this.#refreshLater();
    });
  }

  /** Refreshes until shutdown: requests are still served while the service drains. */
  onApplicationShutdown(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Throws DatabaseUnavailable for a key that may be one of a database that is yet to be opened. */
  has(key: string): boolean {
    return this.#seen.has(key) || this.#lookUp(key);
  }

  #lookUp(key: string): boolean {
    const isAccepted = this.#accepted.has(hashApiKey(key));
    if (isAccepted) this.#seen.add(key);
    else if (!this.database.isOpen) throw this.database.unavailable();
    return isAccepted;
  }

  get isEmpty(): boolean {
    return this.#accepted.size === 0;
  }

  async refresh(): Promise<void> {
    this.#accepted = new Set([...this.#configured, ...(await this.keys.validHashes())]);
    this.#seen.clear();
  }

  #refreshLater(): void {
    this.#timer = setTimeout(() => void this.#refreshAndRepeat(), REFRESH).unref();
  }

  async #refreshAndRepeat(): Promise<void> {
    try {
      await this.refresh();
      if (this.#isOutdated) this.#logger.log('The API keys are refreshed again.');
      this.#isOutdated = false;
    } catch (error) {
      // Keep the last known keys: while the database is unavailable, requests fail with 503 anyway.
      if (this.#timer && !this.#isOutdated) {
        const { message, cause } = error as Error;
        const reason = (cause as Error | undefined)?.message ?? message;
        this.#logger.warn({ reason }, 'The API keys cannot be refreshed; the last known keys stay valid.');
        this.#isOutdated = true;
      }
    }
    if (this.#timer) this.#refreshLater();
  }
}
