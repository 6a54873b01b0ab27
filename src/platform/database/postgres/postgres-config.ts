/** How a process uses PostgreSQL. */
export interface PostgresConfig {
  /** The connections' `application_name`, as in pg_stat_activity. */
  readonly applicationName: string;
  /** Secret: contains a password. */
  readonly databaseUrl: string;
  /** The maximum number of connections of this process. */
  readonly databasePoolSize: number;
  /** Milliseconds to get a connection, or a place in the pool. */
  readonly databaseConnectTimeout: number;
  /** Milliseconds a statement may take, including the wait for a connection; 0 for no limit. */
  readonly databaseStatementTimeout: number;
  /** Whether the address is that of a pooler in transaction mode, behind which prepared statements are lost. */
  readonly databasePooler: boolean;
}
