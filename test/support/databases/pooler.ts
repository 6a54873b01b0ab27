import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCompanion } from './companions/companion.js';

/** The size of the pool for each database. */
export const SHARED = 3;

export interface Pooler {
  readonly port: number;
  /** A database's address through the pooler. */
  url(databaseUrl: string): string;
  readonly stop: () => Promise<void>;
}

/** Whether PgBouncer is installed. */
export function canPool(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0;
}

/** Starts PgBouncer in transaction mode in front of a server, on the given or a free port. */
export async function runPooler(serverUrl: string, chosen?: number): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const port = chosen ?? (await freePort());
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'pooler-'));
  chmodSync(directory, 0o711);
  const file = join(directory, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  writeFileSync(
    file,
    `[databases]
* = ${server} connect_query='SET statement_timeout = 1600'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SHARED}
max_client_conn = 200
`,
  );
  const { line, stop } = await startCompanion('pgbouncer-server.js', [file, String(port)]);
  if (line === undefined) throw new Error('PgBouncer did not start');
  const url = (databaseUrl: string): string => {
    const address = new URL(databaseUrl);
    address.hostname = '127.0.0.1';
    address.port = String(port);
    return address.href;
  };
  return { port, url, stop };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}
