import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Opening } from '../platform/database/served/opening.js';
import { reasonOf } from '../platform/errors/reason-of.js';
import { hashApiKey } from './api-key.js';
import { ApiKeys } from './api-keys.js';
import { logChanges } from './key-changes.js';
import { hasEnded, type ValidKey } from './valid-keys.js';

/** Milliseconds between refreshes: a change takes effect within a second, also when a busy machine is late with timer and query. */
const REFRESH = 250;

/** Milliseconds between two records of the use of a key. */
const USE_PRECISION = 3_600_000;

/** Milliseconds between two attempts to record uses. */
const RECORD = 60_000;

/** The accepted keys, kept in memory: checking a key costs one hash and no query. */
@Injectable()
export class AcceptedKeys implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('AcceptedKeys');
  /** The keys of `API_KEYS`, by hash, named by their position there. */
  readonly #configured: ReadonlyMap<string, ValidKey>;
  /** The keys of the database at the last refresh; undefined before the first one. */
  #stored?: readonly ValidKey[];
  /** Those of them that `API_KEYS` has as well. */
  #shared: readonly ValidKey[] = [];
  /** By hash, with those that have ended since the last refresh. */
  #accepted: ReadonlyMap<string, ValidKey>;
  /** Keys found since the last refresh, which need no second hash. */
  readonly #seen = new Map<string, ValidKey>();
  /** The hashes of keys in use whose use is yet to be recorded. */
  readonly #unrecorded = new Set<string>();
  #timer?: NodeJS.Timeout;
  #recorder?: NodeJS.Timeout;
  /** Whether the last refresh failed. */
  #isOutdated = false;
  /** Whether uses cannot be recorded, for example because a privilege is missing. */
  #isUnrecordable = false;

  constructor(
    private readonly keys: ApiKeys,
    private readonly database: Opening,
    configured: readonly string[],
  ) {
    this.#configured = new Map(
      configured.map((key, index) => {
        const hash = hashApiKey(key);
        return [hash, { hash, name: `API_KEYS ${index + 1}`, mayWrite: true, endsAt: Infinity, lastUsedAt: Infinity }];
      }),
    );
    this.#accepted = this.#configured;
  }

  /** Reads the keys in `whenOpen`: a database that opens later is not ready before its keys are known. */
  async onModuleInit(): Promise<void> {
    await this.database.whenOpen(async () => {
      await this.refresh();
      if (this.#timer) return;
      this.#refreshLater();
      this.#recorder = setInterval(() => void this.recordUses(), RECORD).unref();
    });
  }

  /** Refreshes until shutdown: requests are still served while the service drains. */
  onApplicationShutdown(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#recorder);
    this.#timer = undefined;
  }

  /**
   * Undefined for a key that is not accepted. Throws DatabaseUnavailable for one that may be in a database that is yet to
   * be opened.
   */
  find(key: string): ValidKey | undefined {
    const found = this.#seen.get(key) ?? this.#lookUp(key);
    return hasEnded(found) ? undefined : found;
  }

  #lookUp(key: string): ValidKey | undefined {
    const found = this.#accepted.get(hashApiKey(key));
    if (!found) {
      if (!this.database.isOpen) throw this.database.unavailable();
      return undefined;
    }
    this.#seen.set(key, found);
    if (found.lastUsedAt < Date.now() - USE_PRECISION) this.#unrecorded.add(found.hash);
    return found;
  }

  get isEmpty(): boolean {
    return this.#accepted.size === 0;
  }

  async refresh(): Promise<void> {
    const stored = await this.keys.valid([...this.#configured.keys()]);
    // Even if nothing has changed: only a key that is looked up again can have its use recorded again.
    this.#seen.clear();
    if (stored === this.#stored && this.#shared.every((key) => hasEnded(key) !== this.#accepted.has(key.hash))) return;
    const before = this.#accepted;
    // The database decides about each key that it has: one that is revoked there must not work on because of API_KEYS.
    const all = new Map([...this.#configured, ...stored.map((key) => [key.hash, key] as const)]);
    this.#accepted = new Map([...all].filter(([, key]) => !hasEnded(key)));
    this.#shared = stored.filter(({ hash }) => this.#configured.has(hash));
    if (this.#stored) logChanges(this.#logger, before, this.#accepted);
    else this.#warnOfEnded();
    this.#stored = stored;
  }

  #warnOfEnded(): void {
    for (const { hash, name } of this.#configured.values()) {
      if (!this.#accepted.has(hash))
        this.#logger.warn({ key: name }, 'A key of API_KEYS has ended in the database: remove it from API_KEYS.');
    }
  }

  /** Records the use of keys since the last call, unless one was recorded recently, and repeats what failed then. */
  async recordUses(): Promise<void> {
    if (this.#unrecorded.size === 0 || !this.database.isOpen) return;
    const hashes = [...this.#unrecorded];
    this.#unrecorded.clear();
    try {
      await this.keys.recordUse(hashes, Date.now() - USE_PRECISION);
      this.#isUnrecordable = false;
    } catch (error) {
      // Another process, or a transaction of this one, may hold SQLite's lock for writing. This statement does not wait
      // for it: the next attempt repeats it.
      for (const hash of hashes) this.#unrecorded.add(hash);
      if (!this.#isUnrecordable)
        this.#logger.warn({ reason: reasonOf(error) }, 'The use of API keys cannot be recorded.');
      this.#isUnrecordable = true;
    }
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
        const message = 'The API keys cannot be refreshed; the last known keys stay valid.';
        this.#logger.warn({ reason: reasonOf(error) }, message);
        this.#isOutdated = true;
      }
    }
    if (this.#timer) this.#refreshLater();
  }
}
