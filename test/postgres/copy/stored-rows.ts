import Database from 'better-sqlite3';
import { Client } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { isPostgres } from '../../../src/platform/database/postgres/postgres.js';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { patientConfig } from '../../support/databases/time-limits.js';

type Row = Readonly<Record<string, string | null>>;

/** Every value as text, so that the drivers' conversion of integers does not matter. */
const TABLES = {
  pets: `SELECT CAST("id" AS text) AS "id", "name", CAST("categoryId" AS text) AS "categoryId", "status"
    FROM "pets" ORDER BY "pets"."id"`,
  keys: `SELECT "hash", "name", CAST("createdAt" AS text) AS "createdAt", CAST("revokedAt" AS text) AS "revokedAt",
    "scope", CAST("expiresAt" AS text) AS "expiresAt", CAST("lastUsedAt" AS text) AS "lastUsedAt"
    FROM "api_keys" ORDER BY "name"`,
  requests: `SELECT "hash", "fingerprint", CAST("status" AS text) AS "status", "headers", "body",
    CAST("storedAt" AS text) AS "storedAt" FROM "idempotency_keys" ORDER BY "hash"`,
  sequences: `SELECT "name", CAST("last" AS text) AS "last" FROM "sequences" ORDER BY "name"`,
};

type Stored = Record<keyof typeof TABLES, Row[]>;

/** Creates the tables unless they exist; as `npm run db:copy` does it with `copyFrom`. */
export async function migrate(databaseUrl: string, copyFrom?: string): Promise<void> {
  const config = patientConfig(databaseUrl);
  const dataSource = await openDatabase(createDataSource, config, { migrate: true, copyFrom });
  await dataSource.destroy();
}

/** Runs statements one after another on either engine, and returns the rows of each. */
export async function statements(databaseUrl: string, ...texts: readonly string[]): Promise<Row[][]> {
  const run = isPostgres(databaseUrl) ? onPostgres : onSqlite;
  return run(databaseUrl, texts);
}

/** Everything in a database, read without the code under test. */
export async function stored(databaseUrl: string): Promise<Stored> {
  const [pets, keys, requests, sequences] = await statements(databaseUrl, ...Object.values(TABLES));
  return { pets: pets!, keys: keys!, requests: requests!, sequences: sequences! };
}

async function onPostgres(databaseUrl: string, texts: readonly string[]): Promise<Row[][]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const results: Row[][] = [];
    for (const text of texts) results.push((await client.query<Row>(text)).rows);
    return results;
  } finally {
    await client.end();
  }
}

async function onSqlite(databaseUrl: string, texts: readonly string[]): Promise<Row[][]> {
  const database = new Database(sqliteFile(databaseUrl));
  try {
    return texts.map((text) => {
      const statement = database.prepare(text);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    });
  } finally {
    database.close();
  }
}
