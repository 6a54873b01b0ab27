import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ByteBudget } from '../../../src/platform/http/load/byte-budget.js';
import { ClientConnection, type Exchange } from '../../../src/platform/http/load/client-connection.js';
import { message } from '../../support/http/raw/raw-requests.js';

const REQUEST = message(['GET / HTTP/1.1', 'Host: localhost']);

let server: Server;
let client: Socket;
let connection: ClientConnection;
let exchanges: Exchange[];

beforeEach(async () => {
  exchanges = [];
  server = createServer((request, response) => exchanges.push({ request, response } as unknown as Exchange));
  const budget = new ByteBudget(1024 * 1024, () => []);
  server.on('connection', (socket) => (connection = new ClientConnection(socket, budget, budget)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
});

afterEach(() => {
  client.destroy();
  server.close();
});

/** Sends `count` requests, and returns when the server has them. */
async function send(count: number): Promise<void> {
  client.write(REQUEST.repeat(count));
  while (exchanges.length < count) await delay(1);
}

function end({ response }: Exchange, body: string): void {
  response.end(body);
  connection.endExchange(response);
}

/** What the client has received of `words`, in its order, when the last of them has arrived. */
async function received(words: readonly string[]): Promise<string[]> {
  let text = '';
  client.on('data', (part: string) => (text += part));
  while (!text.includes(words.at(-1)!)) await delay(1);
  return words.filter((word) => text.includes(word)).toSorted((one, other) => text.indexOf(one) - text.indexOf(other));
}

describe('a refusal that Node does not know', () => {
  it('precedes the response to a later request of the same turn', async () => {
    await send(1);
    const words = ['refusal', 'response'];
    connection.addRefusal('refusal');
    connection.startExchange(exchanges[0]!);
    end(exchanges[0]!, 'response');
    expect(await received(words)).toEqual(words);
  });

  it('waits for the response to the request before it', async () => {
    await send(1);
    const words = ['response', 'refusal'];
    connection.startExchange(exchanges[0]!);
    connection.addRefusal('refusal');
    await delay(10);
    end(exchanges[0]!, 'response');
    expect(await received(words)).toEqual(words);
  });

  it('precedes the response to a waiting request after it', async () => {
    await send(2);
    const words = ['first', 'refusal', 'second'];
    connection.startExchange(exchanges[0]!);
    connection.addRefusal('refusal');
    end(exchanges[0]!, 'first');
    connection.startExchange(exchanges[1]!);
    end(exchanges[1]!, 'second');
    expect(await received(words)).toEqual(words);
  });

  it('is possible only when Node has no response to send', async () => {
    await send(1);
    const { response } = exchanges[0]!;
    const before = connection.takesRefusals;
    response.end();
    await once(response, 'finish');
    expect([before, connection.takesRefusals]).toEqual([false, true]);
  });

  it('is possible until 64 KiB of them are to be sent, behind whichever request', async () => {
    await send(2);
    connection.startExchange(exchanges[0]!);
    connection.waiting.push({
      ...exchanges[1]!,
      arrivedAt: 0,
      bytes: 0,
      budget: new ByteBudget(1, () => []),
      context: new AsyncResource('test'),
      refusals: '',
    });
    let count = 0;
    for (; connection.takesRefusals; count += 1) connection.addRefusal('x'.repeat(1024));
    expect(count).toBe(64);
    connection.close();
    expect(connection.takesRefusals).toBe(true);
  });
});
