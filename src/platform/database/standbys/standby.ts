import type { Pool } from 'pg';
import type { PostgresConfig } from '../postgres/postgres-config.js';
import { postgresName } from '../postgres/postgres.js';
import { PostgresStatements } from '../postgres/postgres-statements.js';
import { DATABASE, numberOf, type PrimaryState, START } from './server-identity.js';

/** The primary has no lag: a standby that was promoted, or what a load balancer fell back to. */
const STATE = {
  name: 'standby_state',
  text: `SELECT ${DATABASE},
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${START} END,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END,
    NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::pg_lsn`,
};

interface StandbyState {
  readonly database: string;
  /** Null while it follows a primary. */
  readonly start: string | null;
  /** The position up to which it has replayed; null for a server that follows none. */
  readonly replayed: string | null;
  readonly hasReplayed: boolean;
}

/** For a primary, the position that it writes. */
const REPLAYED = {
  name: 'replayed',
  text: 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END',
};

/** A server that follows the primary. */
export class Standby {
  /** Without the password. */
  readonly name: string;
  readonly server: PostgresStatements;
  /** Whether to read from it; undefined, which means no, until that is known. */
  isFit?: boolean;
  /** Why its rows are not those of the primary; undefined if they are, null until that is known. */
  strayReason: string | null | undefined = null;
  /** The position up to which it had replayed at the last check. */
  #replayed: string | null = null;
  /** A position that it has replayed, and the primary has not written. */
  #strayedAt?: string;

  constructor(url: string, pool: Pool, config: PostgresConfig) {
    this.name = postgresName(url);
    this.server = new PostgresStatements(pool, !config.databasePooler);
  }

  /** Its state, and whether it has replayed the primary's log up to a position. Throws DatabaseUnavailable. */
  async stateAt(position: string): Promise<StandbyState> {
    const [row = []] = (await this.server.run(STATE, [position])) as (string | null)[][];
    const [database, start = null, replayed = null, hasReplayed] = row;
    return { database: database ?? '', start, replayed, hasReplayed: hasReplayed === 't' };
  }

  /** Compares it with the primary, which was read before this state and after the one before it. */
  compare(state: StandbyState, primary: PrimaryState): void {
    this.strayReason = this.#strayReason(state, primary);
  }

  #strayReason(state: StandbyState, primary: PrimaryState): string | null | undefined {
    if (state.database !== primary.database) return 'Its database is not that of the primary.';
    // After a promotion while the primary lives on, both give the same ids to different rows.
    if (state.start !== null)
      return state.start === primary.start ? undefined : 'It follows no server, and is not the primary.';
    const before = this.#replayed;
    this.#replayed = state.replayed;
    // One state is not enough: compare it with the next one.
    if (before === null) return this.strayReason;
    // Nothing is replayed that the primary has not written before.
    if (numberOf(before) > numberOf(primary.lsn)) this.#strayedAt = before;
    // Until it replays something else, although the primary may have passed that position since.
    else if (state.replayed !== this.#strayedAt) this.#strayedAt = undefined;
    return this.#strayedAt === undefined ? undefined : 'It has replayed what the primary did not write.';
  }

  /** A `pg_lsn` as text. Throws DatabaseUnavailable. */
  async replayedPosition(): Promise<string | undefined> {
    const [row] = await this.server.run(REPLAYED, []);
    return (row?.[0] ?? undefined) as string | undefined;
  }

  close(): Promise<void> {
    return this.server.pool.end();
  }
}
