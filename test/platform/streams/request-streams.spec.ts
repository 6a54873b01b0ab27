import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { finished } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { BodyReceiver, EdgeRequest } from '../../../src/platform/http/request/edge-request.js';
import { RequestIds } from '../../../src/platform/http/outcomes/request-id.js';
import { edgeMessages } from '../../../src/platform/http/server/edge-messages.js';
import { message } from '../../support/http/raw/raw-requests.js';

/** Milliseconds; only a failing test takes this long. */
const TIMEOUT = 20_000;

type Handler = (request: IncomingMessage, response: ServerResponse, log: string[]) => unknown;

const GET = message(['GET / HTTP/1.1', 'Host: localhost']);
const POST = message(['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 5'], 'hello');
const CHUNKED = message(
  ['POST / HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked'],
  '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n',
);
const EMPTY = message(['POST / HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked'], '0\r\n\r\n');

let handle: Handler;
let log: string[];
let request: IncomingMessage | undefined;
let bodyEnds: number;
let ofNode: Server;
let ofOurs: Server;

const start = async (server: Server): Promise<Server> => {
  server.on('request', (incoming, response) => {
    request = incoming;
    handle(incoming, response, log);
  });
  await once(server.listen(0), 'listening');
  return server;
};

beforeAll(async () => {
  const hooks = {
    isDraining: () => false,
    onBodyEnd: () => (bodyEnds += 1),
    onEnd: () => {},
    onAnswer: () => {},
    refuseWrite: () => {},
    requestIds: new RequestIds([], () => false),
    assertHeaders: () => {},
    assertHead: () => false,
    assertLength: () => {},
    checkedBody: (_response: unknown, _operation: unknown, body: Buffer) => body,
  };
  ofNode = await start(createServer());
  ofOurs = await start(createServer(edgeMessages(express(), hooks)));
});

afterAll(() => {
  for (const server of [ofNode, ofOurs]) server.close().closeAllConnections();
});

const open = async (server: Server): Promise<Socket> => {
  [request, log, bodyEnds] = [undefined, [], 0];
  const socket = connect((server.address() as AddressInfo).port);
  await once(socket, 'connect');
  return socket;
};

async function nextResponse(socket: Socket): Promise<void> {
  await once(socket, 'data', { signal: AbortSignal.timeout(TIMEOUT) });
}

const hasBegun = () => (request?.readableLength ?? 0) > 0 || log.length > 0;

/** What a handler saw of a request, and its state at the end. */
async function seenOn(server: Server, bytes: string, handler: Handler): Promise<unknown> {
  handle = handler;
  const socket = await open(server);
  socket.write(bytes);
  await nextResponse(socket);
  await nextTurn();
  await nextTurn();
  const { readableEnded, destroyed, closed, complete, aborted } = request!;
  const seen = { log, readableEnded, destroyed, closed, complete, aborted };
  // The connection serves the next request.
  handle = (_, response) => response.end();
  socket.write(GET);
  await nextResponse(socket);
  socket.destroy();
  return seen;
}

const respond: Handler = (_, response) => response.end('done');

const listenTo =
  (...events: string[]): Handler =>
  (incoming, response, seen) => {
    for (const event of events) incoming.on(event, (value?: unknown) => seen.push(`${event} ${String(value)}`));
    respond(incoming, response, seen);
  };

const readAll: Handler = async (incoming, response, seen) => {
  for await (const chunk of incoming) seen.push(String(chunk));
  seen.push('read');
  response.end('done');
};

const readAfterwards: Handler = async (incoming, response, seen) => {
  response.end('done');
  await readAll(incoming, response, seen);
};

const waitUntilFinished: Handler = (incoming, response, seen) => {
  finished(incoming, (error) => seen.push(`finished ${String(error)}`));
  respond(incoming, response, seen);
};

/** Collects a body. */
class Received implements BodyReceiver {
  constructor(
    private readonly seen: string[],
    private readonly whenDone: () => void,
    private readonly most = Infinity,
  ) {}

  add(chunk: Buffer): boolean {
    this.seen.push(String(chunk));
    if (this.seen.length < this.most) return true;
    this.whenDone();
    return false;
  }

  end(): void {
    this.seen.push('end');
    this.whenDone();
  }

  abort(): void {
    this.seen.push('abort');
  }
}

/** Receives the body at once. */
const receive =
  (before: (incoming: IncomingMessage) => unknown = () => {}): Handler =>
  (incoming, response, seen) => {
    before(incoming);
    (incoming as EdgeRequest).receiveBody(new Received(seen, () => response.end('done')));
  };

/** Receives the body when some of it, or all, has arrived. */
const receiveLater: Handler = async (incoming, response, seen) => {
  await delay(50);
  receive()(incoming, response, seen);
};

const receiveWhenGone: Handler = async (incoming, response, seen) => {
  while (!incoming.destroyed) await delay(5);
  receive()(incoming, response, seen);
};

describe('the stream of a request', () => {
  it.each<[string, string, Handler]>([
    ['without a body, to which nobody listens', GET, respond],
    ['without a body, to whose events a handler listens', GET, listenTo('data', 'end', 'close', 'error')],
    ['without a body, to whose close a handler listens', GET, listenTo('close')],
    ['without a body, whose end a handler awaits', GET, waitUntilFinished],
    ['without a body, which a handler reads', GET, readAll],
    ['without a body, which a handler reads after its response', GET, readAfterwards],
    ['with a body that nobody reads', POST, respond],
    ['with a body, to whose events a handler listens', POST, listenTo('data', 'end', 'close', 'error')],
    ['with a body, whose end a handler awaits', POST, waitUntilFinished],
    ['with a body in chunks, which a handler reads', CHUNKED, readAll],
    ['with an empty body in chunks, which a handler reads', EMPTY, readAll],
  ])('ends as in Node: %s', async (_, bytes, handler) => {
    expect(await seenOn(ofOurs, bytes, handler)).toEqual(await seenOn(ofNode, bytes, handler));
  });

  it.each<[string, string, string[]]>([
    ['a body', POST, ['hello', 'end']],
    ['a body in chunks', CHUNKED, ['he', 'llo', 'end']],
    ['an empty body', EMPTY, ['end']],
    ['no body', GET, ['end']],
  ])('passes %s to a receiver, and has then ended as one that was read', async (_, bytes, expected) => {
    const ended = { readableEnded: true, destroyed: true, closed: true, complete: true, aborted: false };
    expect(await seenOn(ofOurs, bytes, receive())).toEqual({ log: expected, ...ended });
    expect(bodyEnds).toBe(bytes === GET ? 0 : 1);
  });

  it.each<[string, string, string[]]>([
    ['a body', POST, ['hello', 'end']],
    ['a body in chunks', CHUNKED, ['hello', 'end']],
    ['an empty body', EMPTY, ['end']],
    ['no body', GET, ['end']],
  ])('passes %s that has arrived before to a receiver', async (_, bytes, expected) => {
    expect(await seenOn(ofOurs, bytes, receiveLater)).toMatchObject({ log: expected, readableEnded: true });
  });

  it('passes a body to a receiver and to a handler that listens', async () => {
    const count = (incoming: IncomingMessage) => {
      incoming.on('data', (chunk: Buffer) => log.push(`${chunk.length} bytes`));
      incoming.on('close', () => log.push('close'));
    };
    expect(await seenOn(ofOurs, CHUNKED, receive(count))).toMatchObject({
      log: ['2 bytes', 'he', '3 bytes', 'llo', 'end', 'close'],
      closed: true,
    });
  });

  it('tells a handler that listens only later that it has ended', async () => {
    const late: Handler = (incoming, response, seen) => {
      const receiver = new Received(seen, () => response.end('done'));
      (incoming as EdgeRequest).receiveBody(receiver);
      incoming.on('end', () => seen.push('late end')).on('close', () => seen.push('close'));
    };
    expect(await seenOn(ofOurs, POST, late)).toMatchObject({
      log: ['hello', 'end', 'late end', 'close'],
      closed: true,
    });
  });

  it.each([
    ['of the first piece', 1, 0],
    ['of a later piece', 2, 0],
    ['of what has arrived before', 1, 50],
  ])('discards what follows the refusal %s, and serves the next request', async (_, most, pause) => {
    // More than a stream holds, in several reads.
    const pieces = Array.from({ length: 10 }, () => 'x'.repeat(20_000));
    handle = async (incoming, response, seen) => {
      if (pause > 0) await delay(pause);
      (incoming as EdgeRequest).receiveBody(new Received(seen, () => response.end('done'), most));
    };
    const socket = await open(ofOurs);
    socket.write(message(['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 200000']));
    socket.write(pieces[0]!);
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    for (const piece of pieces.slice(1)) {
      await delay(20);
      socket.write(piece);
    }
    handle = (__, response) => response.end('next');
    socket.write(GET);
    const deadline = performance.now() + TIMEOUT;
    while (!received.endsWith('next') && performance.now() < deadline) await delay(5);
    expect(received.split('HTTP/1.1 200')).toHaveLength(3);
    expect(log).toHaveLength(most);
    socket.destroy();
  });

  it.each<[string, Handler]>([
    ['before it is received', receiveWhenGone],
    ['while it is received', receive()],
    ['while a handler listens', receive((incoming) => incoming.on('error', () => {}))],
  ])('tells a receiver that the client is gone: %s', async (_, handler) => {
    handle = handler;
    const socket = await open(ofOurs);
    socket.write(POST.slice(0, -2));
    // With the first bytes of its body.
    while (!hasBegun()) await delay(5);
    const closed = new Promise((resolve) => request!.socket.on('close', resolve));
    socket.destroy();
    await closed;
    // A handler that polls notices it too.
    await delay(100);
    expect(log.filter((entry) => entry !== 'hel')).toEqual(['abort']);
    expect(request?.aborted).toBe(true);
  });
});
