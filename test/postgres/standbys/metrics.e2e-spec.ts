import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresName } from '../../../src/platform/database/postgres/postgres.js';
import { metricsOf, type Series } from '../../observability/metrics.js';
import { createDatabase } from '../../support/databases/databases.js';
import { UnsteadyNetwork } from '../../support/http/unsteady-network.js';
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
  const lag = `database_standby_lag_seconds{${server}}`;
  let series: Series;
  const stateOf = (name: string) => ({
    isConnected: ['used', 'idle'].some(
      (state) => series.get(`database_pool_connections{${name},state="${state}"}`)! > 0,
    ),
    waiting: series.get(`database_pool_waiting{${name}}`),
  });
  // On a busy machine, a statement on a standby may exceed its 300 ms, which costs the connection and the lag.
  do series = await metricsOf(app);
  while (!stateOf(server).isConnected || series.get(lag) === undefined);
  for (const name of [server, 'server="primary"']) {
    expect(stateOf(name)).toEqual({ isConnected: true, waiting: 0 });
  }
  expect(series.get(lag)).toBe(0);
  await service.close();
  await database.drop();
});

it('the metrics report a standby that does not respond as unfit, and no lag', async () => {
  const database = await createDatabase();
  const network = await UnsteadyNetwork.to(database.url);
  const { url } = network;
  const service = await startApp({ adminPort: 0, databaseUrl: database.url, databaseReadUrls: [url] });
  const server = `{server="${postgresName(url)}"}`;
  const fit = (scraped: Series) => scraped.get(`database_standby_fit${server}`);
  let series: Series;
  do series = await metricsOf(service.app);
  while (fit(series) !== 1);
  await network.close();
  // The service checks twice a second.
  for (let scrapes = 0; scrapes < 200 && fit(series) === 1; scrapes += 1) {
    await delay(50);
    series = await metricsOf(service.app);
  }
  expect(fit(series)).toBe(0);
  expect(series.has(`database_standby_lag_seconds${server}`)).toBe(false);
  await service.close();
  await database.drop();
});
