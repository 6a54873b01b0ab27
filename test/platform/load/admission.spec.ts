import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Admission, type Handlers } from '../../../src/platform/http/load/admission.js';
import type { ClientConnection, Exchange } from '../../../src/platform/http/load/client-connection.js';
import { Patience } from '../../../src/platform/http/load/patience.js';
import { message } from '../../support/http/raw/raw-requests.js';

const GET = message(['GET / HTTP/1.1', 'Host: localhost']);

describe('a client that loses its waiting requests', () => {
  it('is no longer served when its turn comes', async () => {
    const served: Exchange[] = [];
    const handlers: Handlers = {
      serve: (exchange) => {
        served.push(exchange);
        exchange.response.end();
        admission.end(exchange.response);
      },
      refuse: () => undefined,
      refusalOf: () => undefined,
      isProbe: () => false,
      abandon: () => undefined,
    };
    const admission = new Admission(handlers, new Patience());
    let connection: ClientConnection;
    const server = createServer((request, response) => {
      admission.accept({ request, response } as unknown as Exchange);
      // The second one waits.
      if (connection.waiting.length > 0) connection.giveUp();
    });
    server.on('connection', (socket) => (connection = admission.connect(socket)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client
      .on('error', () => undefined)
      .resume()
      .write(GET.repeat(2));
    await once(client, 'close');
    await nextTurn();
    expect(served.length).toBe(1);
    server.close();
  });
});
