import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { patientConfig } from './time-limits.js';

export type Engine = 'sqlite' | 'postgres';

/** The engine that this run of a spec uses; most specs run on both. */
export const ENGINE: Engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database for one test: on PostgreSQL with empty tables; on SQLite a file that the service creates. */
export async function createDatabase(engine: Engine = ENGINE): Promise<TestDatabase> {
  return engine === 'sqlite' ? createFile() : createOnServer(await template());
}

/** A PostgreSQL database without tables. `from` is the template, after which options of CREATE DATABASE may follow. */
export function createEmptyDatabase(from = 'template0'): Promise<TestDatabase> {
  return createOnServer(from);
}

/** The address of a database on the test server. */
export function addressOf(name: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = name;
  return url.href;
}

/** Runs a statement on the test server as superuser. */
export async function onServer<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
  // One connection, which closes soon after its last use so that the process can end.
  server ??= new Pool({
    connectionString: process.env.TEST_POSTGRES_URL,
    max: 1,
    idleTimeoutMillis: 500,
    allowExitOnIdle: true,
  }).on('error', () => {});
  return (await server.query<Row>(statement, values)).rows;
}

let server: Pool | undefined;
let templateName: Promise<string> | undefined;

function createFile(): TestDatabase {
  const directory = mkdtempSync(join(process.env.TEST_DATABASES ?? tmpdir(), 'app-'));
  return {
    url: `sqlite:${join(directory, 'pets.sqlite')}`,
    drop: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
  };
}

async function createOnServer(from: string): Promise<TestDatabase> {
  const name = `${process.env.TEST_DATABASE_PREFIX}_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return {
    url: addressOf(name),
    drop: async () => void (await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** A migrated database, created once for all specs, because copying it is much faster. */
function template(): Promise<string> {
  templateName ??= createTemplate(`${process.env.TEST_DATABASE_PREFIX}_template`);
  return templateName;
}

async function createTemplate(name: string): Promise<string> {
  const client = new Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  try {
    // Specs run in parallel; the first one creates the template.
    await client.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await client.query('SELECT 1 FROM "pg_database" WHERE "datname" = $1', [name]);
    if (rowCount) return name;
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    const config = patientConfig(addressOf(name));
    const dataSource = await openDatabase(createDataSource, config, { migrate: true });
    await dataSource.destroy();
    return name;
  } finally {
    await client.end();
  }
}
