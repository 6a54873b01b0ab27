import { beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuiltService, KEY, startService } from '../../support/built-service.js';
import { REX, chunk, creation, goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import { createDatabase } from '../../support/databases/databases.js';

/** Runs in its own process: an unhandled error would also end the tests. */
let service: BuiltService;
let isRunning = false;

beforeEach(async () => {
  if (isRunning) return;
  service = await startService((await createDatabase()).url);
  isRunning = true;
  void service.exit.then(() => (isRunning = false));
}, 180_000);

/** Sends bytes and resets the connection a moment later, or at once. */
async function sendAndReset(bytes: string, attempt: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: service.port }).on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.write(bytes, 'latin1');
  if (attempt % 2 > 0) await delay(attempt % 5);
  socket.resetAndDestroy();
}

describe('a connection that the client resets', () => {
  const list = listRequest(KEY);
  const tunnel = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n';

  it.each([
    ['without a byte', ''],
    ['in a request line', 'GET /v1/p'],
    ['in the header fields', list.slice(0, 40)],
    ['after a request', list],
    ['after many requests', list.repeat(100)],
    ['after a creation', goodCreation(KEY)],
    ['in a body', goodCreation(KEY).slice(0, -5)],
    ['in a chunk', creation(KEY, ['Transfer-Encoding: chunked'], chunk(REX).slice(0, 9))],
    ['in a body that is not read', creation('wrong', ['Content-Length: 5000000'], 'x'.repeat(300_000))],
    ['in a body that is too large', creation(KEY, ['Content-Length: 5000000'], 'x'.repeat(300_000))],
    ['while it waits for 100', creation(KEY, ['Expect: 100-continue', `Content-Length: ${REX.length}`], '')],
    ['after an unknown path', list.replace('/v1/pets', '/v1/dogs')],
    ['after a health check', list.replace('/v1/pets', '/ready')],
    ['after the documentation', list.replace('/v1/pets', '/docs/swagger-ui-bundle.js')],
    ['after malformed bytes', 'nonsense\r\n\r\n'],
    ['after a request and malformed bytes', `${goodCreation(KEY)}nonsense\r\n\r\n`],
    ['after too many header fields', `GET / HTTP/1.1\r\nX-Field: ${'x'.repeat(100_000)}`],
    ['after a request for an upgrade', listRequest(KEY, 'Connection: Upgrade', 'Upgrade: websocket')],
    ['after CONNECT', tunnel],
    ['after a request and CONNECT', `${list}${tunnel}`],
    ['after CONNECT and further bytes', `${tunnel}${'x'.repeat(300_000)}`],
  ])('does not stop the service: %s', async (_, bytes) => {
    for (let attempt = 0; attempt < 50; attempt += 1) await sendAndReset(bytes, attempt);
    await delay(50);
    expect({ isRunning, stderr: service.output.stderr }).toEqual({ isRunning: true, stderr: '' });
    // The database may still be busy with abandoned requests.
    let status: number;
    do ({ status } = await service.api.get('/v1/pets?limit=1'));
    while (status === 503);
    expect(status).toBe(200);
  });
});
