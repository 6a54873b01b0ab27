import pg from 'pg';

/** The number of index scans on pets since the server started; the statistics lag a little. */
export async function petReads(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT sum("idx_scan")::int AS "reads" FROM "pg_stat_user_indexes" WHERE "relname" = 'pets'`,
    );
    return rows[0].reads;
  } finally {
    await client.end();
  }
}
