/** How a process uses PostgreSQL. */
export interface PostgresConfig {
  /** Secret: it holds a password. */
  readonly databaseUrl: string;
  /** The most connections of this process. */
  readonly databasePoolSize: number;
  /** Milliseconds to get a connection, or a place in the pool. */
  readonly databaseConnectTimeout: number;
  /** Milliseconds a statement may take; 0 for no limit. */
  readonly databaseStatementTimeout: number;
  /** Whether the address is that of a pooler in transaction mode, which cannot keep prepared statements. */
  readonly databasePooler: boolean;
}
