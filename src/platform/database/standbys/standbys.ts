import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { StandbysConfig } from './standbys-config.js';
import { keepsStatements, postgresPool } from '../postgres/postgres.js';
import { PostgresStatements } from '../postgres/postgres-statements.js';
import { PrimaryPositions } from './primary-positions.js';
import { Standby } from './standby.js';

/** Milliseconds between two looks at how far the standbys are. */
const LOOK = 500;

/** The standbys of the primary. One that fails or is too far behind is left alone until a look finds it fit. */
export class Standbys implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('Standbys');
  readonly #standbys: readonly Standby[];
  readonly #positions: PrimaryPositions;
  /** Milliseconds. */
  readonly #maxLag: number;
  /** Milliseconds that the primary has for what a standby did not answer in time. */
  readonly patience: number;
  #turn = 0;
  #timer?: NodeJS.Timeout;

  static async of(dataSource: DataSource, config: StandbysConfig): Promise<Standbys> {
    const { standbyPool } = await import('../postgres/postgres-pools.js');
    const standbys = config.databaseReadUrls.map((url) => new Standby(url, standbyPool(url, config), config));
    return new Standbys(dataSource, config, standbys);
  }

  private constructor(dataSource: DataSource, config: StandbysConfig, standbys: readonly Standby[]) {
    this.#standbys = standbys;
    this.#positions = new PrimaryPositions(
      new PostgresStatements(postgresPool(dataSource), keepsStatements(dataSource)),
    );
    this.#maxLag = config.databaseReadMaxLag;
    this.patience = config.databaseStatementTimeout;
  }

  /** Waits for none of them: a start does without. */
  onModuleInit(): void {
    this.#timer = setTimeout(() => void this.#lookAgain()).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#standbys.map((standby) => standby.close()));
  }

  /** What one of them answers; undefined when none can, so that it costs no request. */
  async ask<T>(question: (server: PostgresStatements) => Promise<T>): Promise<T | undefined> {
    const standby = this.#next();
    if (!standby) return undefined;
    try {
      return await question(standby.server);
    } catch (error) {
      this.#judge(standby, error);
      return undefined;
    }
  }

  /** Each fit one in its turn. */
  #next(): Standby | undefined {
    for (let tried = 0; tried < this.#standbys.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#standbys.length;
      const standby = this.#standbys[this.#turn]!;
      if (standby.isFit) return standby;
    }
    return undefined;
  }

  async #lookAgain(): Promise<void> {
    // A primary that is away is behind nobody; standbys go on with what they have.
    await this.#positions.look().catch(() => undefined);
    const position = this.#positions.ago(this.#maxLag);
    if (position !== undefined) await Promise.all(this.#standbys.map((standby) => this.#look(standby, position)));
    if (this.#timer) this.#timer = setTimeout(() => void this.#lookAgain(), LOOK).unref();
  }

  async #look(standby: Standby, position: string): Promise<void> {
    try {
      const hasReplayed = await standby.hasReplayed(position);
      this.#judge(standby, hasReplayed ? undefined : new Error(`Its lag exceeds ${this.#maxLag} ms.`));
    } catch (error) {
      this.#judge(standby, error);
    }
  }

  /** `fault` is what makes it unfit. */
  #judge(standby: Standby, fault: unknown): void {
    const isFit = fault === undefined;
    if (standby.isFit === isFit || !this.#timer) return;
    standby.isFit = isFit;
    if (isFit) this.#logger.log(`The standby ${standby.name} serves reads.`);
    else this.#logger.warn({ err: fault }, `The standby ${standby.name} serves no reads until it recovers.`);
  }
}
