import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { message } from '../support/http/raw/raw-requests.js';
import { startApp } from '../support/start-app.js';
import { metricsOf, seriesOf } from './metrics.js';

const PATHS = 100_000;
const CONNECTIONS = 50;
/** Requests that are sent at once on a connection. */
const BATCH = 20;

/** Milliseconds that pass only in a failure. */
const TIME = 300_000;

/** Requests `count` random paths, half of them below the base path of the contract. */
async function requestRandomPaths(port: number, count: number): Promise<void> {
  const client = connect(port, '127.0.0.1').setEncoding('latin1');
  for (let sent = 0; sent < count; sent += BATCH) {
    const paths = Array.from({ length: BATCH }, (_, at) => `${at % 2 === 0 ? '' : '/v1'}/${Math.random()}`);
    client.write(paths.map((path) => message([`GET ${path} HTTP/1.1`, 'Host: localhost'])).join(''));
    let text = '';
    // A busy machine refuses some with 503.
    while (text.split('HTTP/1.1 ').length <= BATCH || !text.endsWith('}')) {
      text += ((await once(client, 'data')) as [string])[0];
    }
  }
  client.destroy();
}

it(
  '100,000 random paths add no series',
  async () => {
    const { app, api, port } = await startApp({ adminPort: 0 });
    for (const path of ['/', '/v1/']) await api.get(path);
    const before = await seriesOf(app);
    const clients = Array.from({ length: CONNECTIONS }, () => requestRandomPaths(port, PATHS / CONNECTIONS));
    await Promise.all(clients);
    expect((await seriesOf(app)).toSorted()).toEqual(before.toSorted());
    const series = await metricsOf(app);
    const counted = ['4xx', '5xx'].map(
      (status) => series.get(`http_server_request_duration_seconds_count{operation="none",status="${status}"}`) ?? 0,
    );
    expect(counted[0]! + counted[1]!).toBe(PATHS + 2);
  },
  TIME,
);
