import { Client } from 'pg';

/** Lets a function of PostgreSQL fail in one database: `current_setting(text) RETURNS text`. */
export async function withFailing(url: string, signature: string): Promise<void> {
  const connection = new Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query(
      `CREATE FUNCTION public.${signature} LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$`,
    );
    // Otherwise the functions of PostgreSQL come first.
    await connection.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`);
  } finally {
    await connection.end();
  }
}
