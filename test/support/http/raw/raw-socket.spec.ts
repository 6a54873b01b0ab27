import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Exchange } from '../exchange.js';
import { RawConnection } from './raw-socket.js';
import { sendRaw } from './send-raw.js';

describe('RawConnection', () => {
  let server: Server;
  let sockets: Socket[];
  let reply: (socket: Socket) => void;
  let seen: Exchange[];
  const check = (exchange: Exchange): void => void seen.push(exchange);
  const port = (): number => (server.address() as AddressInfo).port;

  beforeEach(async () => {
    [seen, sockets] = [[], []];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.once('data', () => reply(socket));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('reads pipelined responses with every framing and reports that the connection stays open', async () => {
    reply = (socket) =>
      socket.write(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab' +
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
      );
    const requests =
      'POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyzPOST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\npq\r\n0\r\n\r\n' +
      'HEAD /c HTTP/1.1\r\n\r\nDELETE /d HTTP/1.1\r\n\r\n';
    const { responses, closed } = await sendRaw(port(), requests, { count: 4, check });
    expect(responses.map(({ status, text, interim }) => [status, text, interim])).toEqual([
      [200, 'ab', [100]],
      [200, 'cde', []],
      [200, '', []],
      [204, '', []],
    ]);
    expect(closed).toBe(false);
    expect(seen.map(({ method, target, body, raw }) => [method, target, body.toString(), raw])).toEqual([
      ['POST', '/a', 'xyz', true],
      ['POST', '/b', 'pq', true],
      ['HEAD', '/c', '', true],
      ['DELETE', '/d', '', true],
    ]);
  });

  it('reports a closed connection, and neither method nor target for malformed bytes', async () => {
    reply = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nno framing');
    const { responses, closed } = await sendRaw(port(), 'nonsense\r\n\r\n', { check });
    expect([responses[0]?.status, responses[0]?.text, closed]).toEqual([400, 'no framing', true]);
    expect(seen.map(({ method, target }) => [method, target])).toEqual([[undefined, undefined]]);
  });

  it('reads method and target of a request with incomplete header fields', async () => {
    reply = (socket) => socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n');
    await sendRaw(port(), 'GET /v1/pets HTTP/1.1\r\nHo', { check });
    expect(seen.map(({ method, target }) => [method, target])).toEqual([['GET', '/v1/pets']]);
  });

  it('throws when bytes follow the last response', async () => {
    reply = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc');
    await expect(sendRaw(port(), 'GET / HTTP/1.1\r\n\r\n', { check })).rejects.toThrow(
      '2 bytes came after the responses',
    );
  });

  it('throws when the connection ends without a response', async () => {
    reply = (socket) => socket.end();
    const connection = await RawConnection.open(port(), check);
    await expect(connection.send('GET / HTTP/1.1\r\n\r\n').response()).rejects.toThrow(
      'ended without response number 1',
    );
    connection.close();
  });
});
