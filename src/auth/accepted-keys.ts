import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { hashApiKey } from './api-key.js';
import { ApiKeys } from './api-keys.js';

/** Milliseconds between two looks into the database: what changed there is known within a second, looking included. */
const REFRESH = 500;

/** Which keys are accepted, in memory: a look-up costs a hash, and a wrong key costs the database nothing. */
@Injectable()
export class AcceptedKeys implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('AcceptedKeys');
  /** Of `API_KEYS`. */
  readonly #configured: readonly string[];
  #accepted: ReadonlySet<string> = new Set();
  /** Accepted since the last refresh: they need no second hash. */
  readonly #seen = new Set<string>();
  #timer?: NodeJS.Timeout;

  constructor(
    private readonly keys: ApiKeys,
    configured: readonly string[],
  ) {
    this.#configured = configured.map(hashApiKey);
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.#refreshLater();
  }

  /** Not before: until then requests are answered. */
  onApplicationShutdown(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  has(key: string): boolean {
    return this.#seen.has(key) || this.#look(key);
  }

  #look(key: string): boolean {
    const isAccepted = this.#accepted.has(hashApiKey(key));
    if (isAccepted) this.#seen.add(key);
    return isAccepted;
  }

  get isEmpty(): boolean {
    return this.#accepted.size === 0;
  }

  async refresh(): Promise<void> {
    this.#accepted = new Set([...this.#configured, ...(await this.keys.workingHashes())]);
    this.#seen.clear();
  }

  #refreshLater(): void {
    this.#timer = setTimeout(() => void this.#refreshAgain(), REFRESH).unref();
  }

  async #refreshAgain(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      // The keys known so far stay: a database that is away answers nothing anyhow.
      if (this.#timer)
        this.#logger.warn({ err: error }, 'The API keys cannot be refreshed; the last known keys stay valid.');
    }
    if (this.#timer) this.#refreshLater();
  }
}
