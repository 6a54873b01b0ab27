import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createDataSource } from '../../../src/data-source.js';
import { databaseName, openDatabase } from '../../../src/platform/database/open-database.js';
import { expectRetry } from '../../support/outages.js';
import { DATABASE_UNAVAILABLE } from '../../properties/outcome.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';
import { startApp } from '../../support/start-app.js';
import { patientConfig } from '../../support/databases/time-limits.js';

let directory: string;
let server: RunningPostgres;

beforeAll(async () => {
  directory = join(process.env.TEST_RUN_DIRECTORY!, 'postgres-socket');
  server = await runPostgres(directory, { settings: { listen_addresses: '', unix_socket_directories: directory } });
}, 120_000);

afterAll(() => server.stop());

/** The two forms of a socket's address: its directory as the host, or as a parameter. */
const addresses = (): string[] => {
  const { username, password, port } = new URL(server.url);
  return [server.url, `postgres://${username}:${password}@localhost:${port}/postgres?host=${directory}`];
};

describe('a PostgreSQL with a Unix socket', () => {
  it('can be opened with either form of its address', async () => {
    for (const databaseUrl of addresses()) {
      const dataSource = await openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: true });
      expect(await dataSource.query('SELECT inet_server_addr() AS "network"')).toStrictEqual([{ network: null }]);
      await dataSource.destroy();
    }
  });

  it('is named in messages without the password', () => {
    const { port } = new URL(server.url);
    expect(databaseName(addresses()[0]!)).toBe(`postgres://${encodeURIComponent(directory)}:${port}/postgres`);
    expect(databaseName(addresses()[1]!)).toBe(`postgres://${encodeURIComponent(directory)}/postgres`);
  });

  it('makes requests return 503 when it is stopped and its socket is gone', async () => {
    const { api } = await startApp({ databaseUrl: server.url });
    expect((await api.get('/v1/pets')).status).toBe(200);
    await server.stop();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expectRetry(await api.get('/v1/pets'), DATABASE_UNAVAILABLE);
      expectRetry(await api.post('/v1/pets', { name: 'Rex', categoryId: 7 }), DATABASE_UNAVAILABLE);
    }
  });
});
