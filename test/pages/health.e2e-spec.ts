import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseHealth } from '../../src/platform/database/database-health.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { responseWhileStopping, closeDatabase } from '../support/outages.js';
import { methodNotAllowed, noResourceAt, outcome } from '../properties/outcome.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const READY = {
  status: 'ready',
  checks: { database: true, migrations: true, reads: true, writes: true, notDraining: true },
};

/** Makes the database look as if no migration had run. */
async function forgetMigrations({ app }: StartedApp): Promise<void> {
  await app.get(ServedDatabase).dataSource.query('DELETE FROM "migrations"');
}

describe('GET /live', () => {
  it('succeeds without a key', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/live', { key: null }))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });

  it('succeeds with any key', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/live', { key: 'wrong' }))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });

  it('succeeds while the database is unavailable', async () => {
    const service = await startApp();
    await closeDatabase(service);
    expect(outcome(await service.api.get('/live'))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });
});

describe('GET /ready', () => {
  it('reports ready, without a key', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/ready', { key: null }))).toStrictEqual({ status: 200, body: READY });
  });

  it('reports the database when it is unavailable', async () => {
    const service = await startApp();
    await closeDatabase(service);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: {
        status: 'not ready',
        checks: { database: false, migrations: false, reads: false, writes: false, notDraining: true },
      },
    });
  });

  it('reports missing migrations', async () => {
    const service = await startApp();
    await forgetMigrations(service);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, migrations: false } },
    });
  });

  it('reports missing migrations when their table is missing, without creating it', async () => {
    const service = await startApp();
    const dataSource = service.app.get(ServedDatabase).dataSource;
    await dataSource.query('DROP TABLE "migrations"');
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, migrations: false } },
    });
    await expect(dataSource.query('SELECT "name" FROM "migrations"')).rejects.toThrow(
      /(no such table: |relation ")migrations/,
    );
  });

  it.each([
    ['pets', { reads: false, writes: false }],
    ['sequences', { writes: false }],
    ['api_keys', { reads: false }],
  ])('reports what is impossible without the table %s, and that it is possible again', async (table, missing) => {
    const { app, api } = await startApp();
    const dataSource = app.get(ServedDatabase).dataSource;
    await dataSource.query(`ALTER TABLE "${table}" RENAME TO "hidden"`);
    expect(outcome(await api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, ...missing } },
    });
    await dataSource.query(`ALTER TABLE "hidden" RENAME TO "${table}"`);
    expect(outcome(await api.get('/ready'))).toStrictEqual({ status: 200, body: READY });
  });

  it('checks the database once for requests that arrive together', async () => {
    const health = (await startApp()).app.get(DatabaseHealth);
    const first = health.check();
    expect(health.check()).toBe(first);
    await first;
    expect(health.check()).toBe(first);
    await nextTurn();
    expect(health.check()).not.toBe(first);
  });

  it('reports draining while the service is stopping', async () => {
    const response = await responseWhileStopping(await startApp(), ['GET /ready HTTP/1.1']);
    expect(outcome(response)).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, notDraining: false } },
    });
    expect(response.header('connection')).toBe('close');
  });
});

describe.each(['/live', '/ready'])('%s', (path) => {
  it('responds to HEAD without a body', async () => {
    const { api } = await startApp();
    const { status, bytes } = await api.head(path, { key: null });
    expect({ status, length: bytes.length }).toStrictEqual({ status: 200, length: 0 });
  });

  it('forbids caching', async () => {
    const { api } = await startApp();
    expect((await api.get(path)).header('cache-control')).toBe('no-store');
  });

  it('is not part of the API', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get(`/v1${path}`))).toStrictEqual(noResourceAt(`/v1${path}`));
    expect((await api.get('/openapi.yaml')).text).not.toContain(`${path}:`);
  });
});

const PAGES = ['/live', '/ready', '/openapi.json', '/openapi.yaml', '/docs', '/docs/start.js', '/docs/swagger-ui.css'];

describe.each(PAGES)('a page outside the contract: %s', (path) => {
  const ALLOW = 'GET, HEAD, OPTIONS';

  it('is sent whole to a client that has any version of it', async () => {
    const { api } = await startApp();
    const response = await api.get(path, { headers: { 'If-None-Match': '*' } });
    expect({ status: response.status, isEmpty: response.text === '' }).toEqual({ status: 200, isEmpty: false });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s with 405', async (method) => {
    const { api } = await startApp();
    const response = await api.request(method, `${path}?x=1`, { key: null });
    expect(outcome(response)).toStrictEqual(methodNotAllowed(method, path, ALLOW));
    expect([response.header('allow'), response.header('cache-control')]).toStrictEqual([ALLOW, 'no-store']);
  });

  it('lists its methods in response to OPTIONS', async () => {
    const { api } = await startApp();
    const { status, bytes, headers } = await api.request('OPTIONS', path, { key: null });
    expect([status, bytes.length, headers.allow]).toStrictEqual([204, 0, [ALLOW]]);
  });
});
