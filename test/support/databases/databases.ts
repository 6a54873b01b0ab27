import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { patientConfig } from './time-limits.js';

export type Engine = 'sqlite' | 'postgres';

/** The engine that this run of a spec uses; most specs run on both. */
export const ENGINE: Engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/** Where the files of SQLite are. */
const FILES = process.env.TEST_DATABASES!; // Set before any test, by create-run-directory.js.

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database for one test, with empty tables. */
export async function createDatabase(engine: Engine = ENGINE): Promise<TestDatabase> {
  return engine === 'sqlite' ? createFile(await templateFile()) : createOnServer(await templateOnServer());
}

/** A database without tables, on SQLite a file that does not exist. `from` is a template of PostgreSQL, and options of CREATE DATABASE. */
export async function createEmptyDatabase(engine: Engine = ENGINE, from = 'template0'): Promise<TestDatabase> {
  return engine === 'sqlite' ? createFile() : createOnServer(from);
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

function createFile(template?: string): TestDatabase {
  const directory = mkdtempSync(join(FILES, 'app-'));
  const file = join(directory, 'pets.sqlite');
  if (template !== undefined) copyFileSync(template, file);
  return {
    url: `sqlite:${file}`,
    drop: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
  };
}

/** A migrated file, created once for all specs: copying it is faster than to migrate at each start. */
async function templateFile(): Promise<string> {
  const template = join(FILES, 'migrated.sqlite');
  if (existsSync(template)) return template;
  // Specs run in parallel: each that finds none creates one, and the last one remains.
  const draft = join(mkdtempSync(join(FILES, 'template-')), 'pets.sqlite');
  await migrate(`sqlite:${draft}`);
  renameSync(draft, template);
  return template;
}

async function migrate(url: string): Promise<void> {
  const dataSource = await openDatabase(createDataSource, patientConfig(url), { migrate: true });
  await dataSource.destroy();
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
function templateOnServer(): Promise<string> {
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
    await migrate(addressOf(name));
    return name;
  } finally {
    await client.end();
  }
}
