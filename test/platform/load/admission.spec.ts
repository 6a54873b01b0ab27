import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Admission, type Handlers } from '../../../src/platform/http/load/admission.js';
import { ClientConnection, type Exchange } from '../../../src/platform/http/load/client-connection.js';
import { Patience } from '../../../src/platform/http/load/patience.js';
import { atEndOfTurn } from '../../../src/platform/process/end-of-turn.js';
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

describe('a client while another one fills the memory of pipelined requests', () => {
  it('gets both responses to two requests that arrive together', async () => {
    const handlers: Handlers = {
      serve: ({ request, response }) => {
        if (request.url === '/endless') return;
        response.end();
        admission.end(response);
      },
      refuse: ({ response }) => void response.writeHead(503).end(),
      refusalOf: () => undefined,
      isProbe: () => false,
      abandon: () => undefined,
    };
    const admission = new Admission(handlers, new Patience());
    const cut = jest.spyOn(ClientConnection.prototype, 'cut');
    const server = createServer((request, response) => {
      admission.accept({ request, response } as unknown as Exchange);
    });
    server.on('connection', (socket) => void admission.connect(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [greedy, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    greedy.write(message(['GET /endless HTTP/1.1', 'Host: localhost']) + GET.repeat(20_000));
    while (cut.mock.calls.length === 0) await nextTurn();

    other.write(GET.repeat(2));
    let received = '';
    other.on('data', (bytes: Buffer) => (received += bytes.toString('latin1'))).on('error', () => undefined);
    while (!other.closed && received.split('HTTP/1.1 ').length < 3) await nextTurn();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(cut).toHaveBeenCalledTimes(1);
    greedy.destroy();
    other.destroy();
    server.close();
  });
});

describe('the requests of 600 connections, which arrive together', () => {
  const CONNECTIONS = 600;

  afterEach(() => void jest.restoreAllMocks());

  /** How many of them have started when the first commit begins, so many milliseconds after the last connection. */
  async function startedBeforeCommit(milliseconds: number): Promise<number> {
    // Starting them takes no time, however slow the machine is.
    const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
    let started = 0;
    let atCommit = 0;
    const handlers: Handlers = {
      serve: ({ response }) => {
        started += 1;
        if (started === 1) atEndOfTurn('commit', () => (atCommit = started));
        atEndOfTurn('respond', () => {
          response.end();
          admission.end(response);
        });
      },
      refuse: () => undefined,
      refusalOf: () => undefined,
      isProbe: () => false,
      abandon: () => undefined,
    };
    const admission = new Admission(handlers, new Patience());
    const accepted = new Set<Socket>();
    const server = createServer((request, response) => {
      admission.accept({ request, response } as unknown as Exchange);
    });
    server.on('connection', (socket) => {
      admission.connect(socket);
      accepted.add(socket);
    });
    server.listen({ port: 0, host: '127.0.0.1', backlog: CONNECTIONS });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    while (accepted.size < CONNECTIONS) await nextTurn();
    now.mockReturnValue(1000 + milliseconds);
    const answered = clients.map((client) => once(client, 'data'));
    for (const client of clients) client.write(GET);
    await Promise.all(answered);
    for (const client of clients) client.destroy();
    server.close();
    return atCommit;
  }

  it('are served although Node has more to read once 512 have started', async () => {
    expect(await startedBeforeCommit(100)).toBe(512);
  });

  it('wait until Node has read everything while connections arrive', async () => {
    expect(await startedBeforeCommit(99)).toBe(600);
  });
});
