import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { reasonOf } from '../../errors/reason-of.js';
import type { StandbysConfig } from './standbys-config.js';
import { keepsPreparedStatements, postgresPool } from '../postgres/postgres.js';
import { PostgresStatements } from '../postgres/postgres-statements.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { ServedDatabase } from '../served/served-database.js';
import { PrimaryPositions } from './primary-positions.js';
import type { PrimaryState } from './server-identity.js';
import { Standby } from './standby.js';

/** Milliseconds between two checks of how far the standbys lag. */
const CHECK_INTERVAL = 500;

/** The standbys of the primary. One that fails or lags too far gets no reads until a check finds it fit. */
export class Standbys implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('Standbys');
  readonly #standbys: readonly Standby[];
  /** Absent until the primary has been available; before that, no table reads from standbys. */
  #positions?: PrimaryPositions;
  /** Milliseconds. */
  readonly #maxLag: number;
  /** Milliseconds that a standby and then the primary have together for a read. */
  readonly readTimeout: number;
  #turn = 0;
  /** Whether the log has why the primary cannot be compared with its standbys. */
  #isReported = false;
  #timer?: NodeJS.Timeout;

  static async of(primary: ServedDatabase, config: StandbysConfig): Promise<Standbys> {
    const { standbyPool } = await import('../postgres/postgres-pools.js');
    const standbys = config.databaseReadUrls.map((url) => new Standby(url, standbyPool(url, config), config));
    return new Standbys(primary, config, standbys);
  }

  private constructor(primary: ServedDatabase, config: StandbysConfig, standbys: readonly Standby[]) {
    this.#standbys = standbys;
    primary.whenOpen(() => {
      const server = new PostgresStatements(
        postgresPool(primary.dataSource),
        keepsPreparedStatements(primary.dataSource),
      );
      this.#positions = new PrimaryPositions(server);
    });
    this.#maxLag = config.databaseReadMaxLag;
    this.readTimeout = config.databaseStatementTimeout;
  }

  get servers(): readonly Standby[] {
    return this.#standbys;
  }

  /** The lags, in milliseconds; undefined for a standby that does not respond, or whose lag is not known yet. */
  lags(): Promise<{ readonly name: string; readonly lag?: number }[]> {
    return Promise.all(
      this.#standbys.map(async (standby) => {
        const position = await standby.replayedPosition().catch(() => undefined);
        return { name: standby.name, lag: position === undefined ? undefined : this.#positions?.ageOf(position) };
      }),
    );
  }

  /** Whether the primary shows the rows of a table up to this id; without an id, whether it shows any row. */
  isShown(table: string, id: bigint | undefined): boolean {
    const last = this.#positions?.lastId(table);
    return last !== undefined && (id === undefined || id <= last);
  }

  /** Waits for no standby: the service starts without them. */
  onModuleInit(): void {
    this.#timer = setTimeout(() => void this.#checkAll()).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#standbys.map((standby) => standby.close()));
  }

  /** Reads from the next fit standby; undefined when there is none or it fails, so that the primary answers instead. */
  async read<T>(query: (server: PostgresStatements) => Promise<T>): Promise<T | undefined> {
    const standby = this.#next();
    if (!standby) return undefined;
    try {
      return await query(standby.server);
    } catch (error) {
      this.#update(standby, error);
      return undefined;
    }
  }

  /** The fit ones in turn. */
  #next(): Standby | undefined {
    for (let tried = 0; tried < this.#standbys.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#standbys.length;
      const standby = this.#standbys[this.#turn];
      if (standby?.isFit) return standby;
    }
    return undefined;
  }

  async #checkAll(): Promise<void> {
    // While the primary is down, keep the last known position, so that the standbys stay fit.
    const primary = await this.#positions?.record().catch((error: unknown) => this.#reportPrimary(error));
    const position = this.#positions?.before(this.#maxLag);
    if (position !== undefined)
      await Promise.all(this.#standbys.map((standby) => this.#check(standby, position, primary)));
    if (this.#timer) this.#timer = setTimeout(() => void this.#checkAll(), CHECK_INTERVAL).unref();
  }

  /** An outage has lines of its own. */
  #reportPrimary(error: unknown): undefined {
    if (error instanceof DatabaseUnavailable || this.#isReported) return;
    this.#isReported = true;
    const message = 'The standbys serve no reads, because the primary does not report what it has written.';
    this.#logger.warn({ reason: reasonOf(error) }, message);
  }

  /** `primary` is absent while it is down: then what is known of the standby stays. */
  async #check(standby: Standby, position: string, primary: PrimaryState | undefined): Promise<void> {
    try {
      const state = await standby.stateAt(position);
      if (primary) standby.compare(state, primary);
      if (standby.strayReason === null) return;
      if (standby.strayReason !== undefined) throw new Error(standby.strayReason);
      const { hasReplayed } = state;
      // At first, a standby that lags less may still be behind the first known position.
      if (!hasReplayed && standby.isFit === undefined && !this.#positions?.reachBack(this.#maxLag)) return;
      this.#update(standby, hasReplayed ? undefined : new Error(`Its lag exceeds ${this.#maxLag} ms.`));
    } catch (error) {
      this.#update(standby, error);
    }
  }

  /** A standby is fit when it has no fault. */
  #update(standby: Standby, fault: unknown): void {
    const isFit = fault === undefined;
    if (standby.isFit === isFit || !this.#timer) return;
    standby.isFit = isFit;
    if (isFit) this.#logger.log(`The standby ${standby.name} serves reads.`);
    else
      this.#logger.warn({ reason: reasonOf(fault) }, `The standby ${standby.name} serves no reads until it recovers.`);
  }
}
