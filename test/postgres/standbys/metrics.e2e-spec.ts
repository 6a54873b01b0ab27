import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresName } from '../../../src/platform/database/postgres/postgres.js';
import { metricsOf } from '../../observability/metrics.js';
import { createDatabase } from '../../support/databases/databases.js';
import { startApp } from '../../support/start-app.js';

it('the metrics report the connections to each server, and the state and lag of a standby', async () => {
  const database = await createDatabase();
  const { url } = database;
  // A server that is no standby has no lag.
  const service = await startApp({ adminPort: 0, databaseUrl: url, databaseReadUrls: [url] });
  const server = `server="${postgresName(url)}"`;
  const { app, api } = service;
  while ((await metricsOf(app)).get(`database_standby_fit{${server}}`) !== 1) await delay(20);
  expect((await api.get('/v1/pets')).status).toBe(200);
  const series = await metricsOf(app);
  const used = (name: string) => series.get(`database_pool_connections{${name},state="used"}`)!;
  const idle = (name: string) => series.get(`database_pool_connections{${name},state="idle"}`)!;
  for (const name of [server, 'server="primary"']) {
    expect(used(name) + idle(name)).toBeGreaterThan(0);
    expect(series.get(`database_pool_waiting{${name}}`)).toBe(0);
  }
  expect(series.get(`database_standby_lag_seconds{${server}}`)).toBe(0);
  await service.close();
  await database.drop();
});
