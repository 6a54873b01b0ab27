import type { PostgresConfig } from '../postgres/postgres-config.js';

/** How a process uses PostgreSQL with standbys. */
export interface StandbysConfig extends PostgresConfig {
  /** Addresses of the standbys; none switches them off. Secret: they contain passwords. */
  readonly databaseReadUrls: readonly string[];
  /** Milliseconds that a standby may lag behind the primary. */
  readonly databaseReadMaxLag: number;
}
