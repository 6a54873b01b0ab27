import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { message } from '../../support/http/raw/raw-requests.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, getOf, json, type Part, postOf, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from '../nest/toys/log.js';
import { journal, LINES, MANY_BYTES, news, WaitingModule } from './waiting.module.js';

/** Milliseconds; only a failing test takes this long, but it is shorter than the request timeout. */
const TIMEOUT = 20_000;
/** Milliseconds for which a client reads nothing: longer than the service waits for a client that is silent. */
const LONG = 7000;

function contractFile(): string {
  const contract = baseContract('3.0.3');
  const get = getOf(contract);
  get.parameters[0].name = 'name';
  get.responses[400] = get.responses[404];
  const { requestBody, responses } = postOf(contract);
  const answering = (operation: Part, content: object): object => {
    const { 201: _, ...errors } = operation.responses;
    return { ...get, ...operation, responses: { ...errors, 200: { description: 'OK', content } } };
  };
  const object = json({ type: 'object', additionalProperties: true });
  const text = { schema: { type: 'string' } };
  contract.paths = {
    '/polls/{name}': {
      get: answering({ ...get, operationId: 'poll' }, object),
      post: answering({ operationId: 'change', requestBody, responses }, object),
    },
    '/events/{name}': { get: answering({ ...get, operationId: 'follow' }, { 'text/event-stream': text }) },
    '/texts/{name}': { get: answering({ ...get, operationId: 'read' }, { 'text/csv': text }) },
  };
  const file = writeContract(contract);
  return file;
}

let service: StartedApp;
let errors: string[];
const clients = new Map<string, Client>();

class Client {
  received = '';

  private constructor(readonly socket: Socket) {
    socket.on('error', () => {}).on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')));
  }

  /** Sends a request, and perhaps more, and returns when its handler runs. */
  static async send(method: string, path: string, more = ''): Promise<Client> {
    const socket = connect({ host: '127.0.0.1', port: service.port, allowHalfOpen: true });
    await once(socket, 'connect');
    const client = new Client(socket);
    const head = [`${method} /v1/${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${service.key}`];
    const hasBody = method === 'POST';
    const fields = hasBody ? ['Content-Type: application/json', 'Content-Length: 2'] : [];
    socket.write(message([...head, ...fields], hasBody ? '{}' : '') + more);
    const name = path.split('/')[1]!;
    while (!journal.begun.has(name)) await delay(5);
    clients.set(name, client);
    return client;
  }

  async until(text: string): Promise<void> {
    while (!this.received.includes(text)) await once(this.socket, 'data');
  }
}

/** Requests whose clients leave, with a text that they have received before. */
const LEAVING: [method: string, path: string, received?: string, more?: string][] = [
  ['GET', 'polls/response-get'],
  ['GET', 'polls/signal-get'],
  ['GET', 'polls/request-get'],
  ['GET', 'polls/aborted-get'],
  ['GET', 'polls/socket-get'],
  ['POST', 'polls/response-post'],
  ['POST', 'polls/signal-post'],
  ['POST', 'polls/socket-post'],
  ['GET', 'polls/response-pipelined', undefined, 'GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['GET', 'polls/response-incomplete', undefined, 'GET /live HTTP/1.1\r\nHost'],
  ['GET', 'events/quiet', '\r\n\r\n'],
  ['GET', 'texts/silent', 'first\n'],
];

/** Requests whose clients end their side, and wait for the response. */
const WAITING: [path: string, received: string][] = [
  ['polls/end-get', '{"name":"end-get"}'],
  ['polls/pause-get', '{"name":"pause-get"}'],
  ['texts/lines', '0\r\n\r\n'],
];

async function wait([path, received]: (typeof WAITING)[number]): Promise<void> {
  const client = await Client.send('GET', path);
  client.socket.end();
  await Promise.race([client.until(received), once(client.socket, 'close')]);
}

async function readLate(): Promise<void> {
  const client = await Client.send('GET', 'texts/large');
  client.socket.pause().end();
  await delay(LONG);
  client.socket.resume();
  await once(client.socket, 'close');
}

// Concurrently, because each takes seconds.
beforeAll(async () => {
  service = await startApp({}, { contractFile: contractFile(), features: [WaitingModule] });
  errors = collectErrors(service.app);
  const staying = [Client.send('GET', 'polls/response-staying'), Client.send('GET', 'events/staying')];
  const waiting = [...WAITING.map((one) => wait(one)), readLate()];
  await Promise.all(staying);
  await Promise.all(
    LEAVING.map(async ([method, path, received, more]) => {
      const client = await Client.send(method, path, more);
      if (received !== undefined) await client.until(received);
      // Sends FIN, because everything is read.
      client.socket.destroy();
    }),
  );
  const names = LEAVING.map(([, path]) => path.split('/')[1]!);
  for (const end = Date.now() + TIMEOUT; Date.now() < end && names.some((name) => !journal.ended.has(name));)
    await delay(20);
  await Promise.all(waiting);
}, 120_000);

const received = (name: string): string => clients.get(name)!.received;

describe('a client that leaves', () => {
  it.each(LEAVING)('is noticed while the handler waits: %s %s', (_, path) => {
    expect(journal.ended).toContain(path.split('/')[1]);
  });

  it('is no error of the service', () => {
    expect(errors).toEqual([]);
  });
});

describe('a client that ends its side', () => {
  it.each(WAITING)('gets the response for which it waits: %s', (path, end) => {
    const text = received(path.split('/')[1]!);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.endsWith(end)).toBe(true);
  });

  it('gets each line of a stream that pauses', () => {
    expect(received('lines').match(/x{9}\n/g)).toHaveLength(LINES);
  });

  it('gets the whole of a large response that it reads late', () => {
    expect(received('large').length).toBeGreaterThan(MANY_BYTES);
  });
});

describe('a client that stays', () => {
  // The service need not wait for them when it stops.
  afterAll(() => {
    for (const { socket } of clients.values()) socket.resetAndDestroy();
  });

  it('may wait for its response for as long as the handler', () => {
    expect([...journal.ended]).not.toContain('response-staying');
  });

  it('may wait for an event', async () => {
    news.next({ data: 'sold out' });
    const client = clients.get('staying')!;
    await client.until('data: sold out\n\n');
    expect(client.socket.destroyed).toBe(false);
  });
});
