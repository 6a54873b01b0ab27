import type { Pool } from 'pg';
import type { PostgresConfig } from '../postgres/postgres-config.js';
import { postgresName } from '../postgres/postgres.js';
import { PostgresStatements } from '../postgres/postgres-statements.js';

/** A server that has been promoted, or that a load balancer has chosen for want of standbys, is behind nobody. */
const HAS_REPLAYED = {
  name: 'has_replayed',
  text: `SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::pg_lsn`,
};

/** A server that follows the primary. */
export class Standby {
  /** Without the password. */
  readonly name: string;
  readonly server: PostgresStatements;
  /** Whether to ask it. Nobody knows before the first look. */
  isFit = false;

  constructor(url: string, pool: Pool, config: PostgresConfig) {
    this.name = postgresName(url);
    this.server = new PostgresStatements(pool, !config.databasePooler);
  }

  /** Whether it has all that the primary had written up to a position in its log. Throws DatabaseUnavailable. */
  async hasReplayed(position: string): Promise<boolean> {
    const [row] = await this.server.run(HAS_REPLAYED, [position]);
    return row?.[0] === 't';
  }

  close(): Promise<void> {
    return this.server.pool.end();
  }
}
