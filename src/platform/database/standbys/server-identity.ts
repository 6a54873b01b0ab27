/** The cluster and the database of a server, in SQL: a standby has those of its primary. */
export const DATABASE = `(SELECT "system_identifier" FROM pg_control_system())
  || '/' || (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`;

/** The timeline of a server that is no standby, in SQL, as text that can be compared. Each promotion begins a later one. */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

/** What the primary wrote last. */
export interface PrimaryState {
  /** A `pg_lsn` as text. */
  readonly lsn: string;
  readonly database: string;
  readonly timeline: string;
}

/** A `pg_lsn` is two hexadecimal numbers of 32 bits: `16/B374D848`. */
export function numberOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
