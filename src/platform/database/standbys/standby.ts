import type { Pool } from 'pg';
import type { PostgresConfig } from '../postgres/postgres-config.js';
import { postgresName } from '../postgres/postgres.js';
import { PostgresStatements } from '../postgres/postgres-statements.js';

/** A primary has no lag: one that was promoted, or that a load balancer fell back to. */
const HAS_REPLAYED = {
  name: 'has_replayed',
  text: `SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::pg_lsn`,
};

/** A primary has reached the position that it writes. */
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

  constructor(url: string, pool: Pool, config: PostgresConfig) {
    this.name = postgresName(url);
    this.server = new PostgresStatements(pool, !config.databasePooler);
  }

  /** Whether it has replayed the primary's log up to a position. Throws DatabaseUnavailable. */
  async hasReplayed(position: string): Promise<boolean> {
    const [row] = await this.server.run(HAS_REPLAYED, [position]);
    return row?.[0] === 't';
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
