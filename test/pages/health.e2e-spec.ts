import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { answerWhileStopping, closeDatabase, whileLocked } from '../support/outages.js';
import { nothingAt, outcome } from '../properties/outcome.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const READY = { status: 'ready', checks: { database: true, migrations: true, notDraining: true } };

/** As if the database were one of an older release. */
async function forgetMigrations({ app }: StartedApp): Promise<void> {
  await app.get(DataSource).query('DELETE FROM "migrations"');
}

describe('GET /live', () => {
  it('answers without a key', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/live', { key: null }))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });

  it('answers whatever the key is', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/live', { key: 'wrong' }))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });

  it('answers while the database is away', async () => {
    const service = await startApp();
    await closeDatabase(service);
    expect(outcome(await service.api.get('/live'))).toStrictEqual({ status: 200, body: { status: 'live' } });
  });
});

describe('GET /ready', () => {
  it('answers without a key that the service can do its work', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get('/ready', { key: null }))).toStrictEqual({ status: 200, body: READY });
  });

  it('names the database when it is away', async () => {
    const service = await startApp();
    await closeDatabase(service);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, database: false, migrations: false } },
    });
  });

  it('names the migrations when some are missing', async () => {
    const service = await startApp();
    await forgetMigrations(service);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, migrations: false } },
    });
  });

  it('names the migrations when their very table is missing, and makes none', async () => {
    const service = await startApp();
    const runner = service.app.get(DataSource).createQueryRunner();
    await runner.dropTable('migrations');
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, migrations: false } },
    });
    expect(await runner.hasTable('migrations')).toBe(false);
    await runner.release();
  });

  it('answers that the service can do its work while another process writes to the database', async () => {
    const { api, databaseUrl } = await startApp();
    const answer = await whileLocked(databaseUrl, () => api.get('/ready'));
    expect(outcome(answer)).toStrictEqual({ status: 200, body: READY });
  });

  it('names the draining when the service is stopping', async () => {
    const answer = await answerWhileStopping(await startApp(), ['GET /ready HTTP/1.1']);
    expect(outcome(answer)).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY.checks, notDraining: false } },
    });
    expect(answer.header('connection')).toBe('close');
  });
});

describe.each(['/live', '/ready'])('%s', (path) => {
  it('answers HEAD without a body', async () => {
    const { api } = await startApp();
    const { status, bytes } = await api.head(path, { key: null });
    expect({ status, length: bytes.length }).toStrictEqual({ status: 200, length: 0 });
  });

  it('is not kept by caches', async () => {
    const { api } = await startApp();
    expect((await api.get(path)).header('cache-control')).toBe('no-store');
  });

  it('is no part of the interface', async () => {
    const { api } = await startApp();
    expect(outcome(await api.get(`/v1${path}`))).toStrictEqual(nothingAt(`/v1${path}`));
    expect((await api.get('/openapi.yaml')).text).not.toContain(`${path}:`);
  });
});
