/** The cluster and the database of a server, in SQL: a standby has those of its primary. */
export const DATABASE = `(SELECT "system_identifier" FROM pg_control_system())
  || '/' || (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`;

/**
 * When a server started, in SQL, in seconds: two servers do not start in the same microsecond. Nothing else tells a server
 * from a copy of its files, and two standbys that were promoted each for itself even have the same timeline.
 */
export const START = 'extract(epoch FROM pg_postmaster_start_time())::text';

/** What the primary wrote last. */
export interface PrimaryState {
  /** A `pg_lsn` as text. */
  readonly lsn: string;
  readonly database: string;
  readonly start: string;
}

/** A `pg_lsn` is two hexadecimal numbers of 32 bits: `16/B374D848`. */
export function numberOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
