import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from '../nest/toys/log.js';
import { FAILED } from '../../properties/outcome.js';
import { CHUNK, CHUNKS, journal, ReportsModule } from './reports.module.js';

function contractFile(): string {
  const contract = baseContract('3.0.3');
  const { get } = contract.paths['/things/{thingId}'];
  get.parameters[0].name = 'name';
  get.responses[200].content = { 'text/csv': { schema: { type: 'string' } } };
  get.responses[409] = get.responses[404];
  const generated = structuredClone(get);
  generated.operationId = 'export';
  generated.responses[200].headers = { 'X-Total': { required: true, schema: { type: 'integer' } } };
  generated.responses[204] = { description: 'Nothing.' };
  generated.responses[304] = { description: 'Unchanged.' };
  contract.paths = { '/reports/{name}': { get }, '/exports/{name}': { get: generated } };
  const file = writeContract(contract);
  return file;
}

let service: StartedApp;
let errors: string[];

beforeAll(async () => {
  service = await startApp({}, { contractFile: contractFile(), features: [ReportsModule] });
  errors = collectErrors(service.app);
});

beforeEach(() => void errors.splice(0));

interface Received {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  /** Whether the response came to its declared end. */
  readonly isComplete: boolean;
}

/** Reads after `wait`, and no further than `limit` bytes. */
function receive(name: string, { wait = async () => {}, limit = Infinity } = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.key}` };
    const sent = request(`${service.baseUrl}/v1/reports/${encodeURIComponent(name)}`, { headers, agent: false });
    sent.on('error', reject).end();
    sent.on('response', (response) => void wait().then(() => resolve(read(response, limit)), reject));
  });
}

function read(response: IncomingMessage, limit: number): Promise<Received> {
  let text = '';
  let bytes = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < 1000) text += chunk.toString();
    if (bytes > limit) response.destroy();
  });
  return new Promise((resolve) => {
    response.on('close', () => resolve({ status: response.statusCode!, text, bytes, isComplete: response.complete }));
  });
}

/** Waits until the stream produces nothing more. */
async function untilItWaits(): Promise<void> {
  for (let before = -1; journal.produced !== before; await delay(100)) before = journal.produced;
}

describe('a stream of an operation', () => {
  it('waits while the client reads nothing, and then continues to its end', async () => {
    let producedAtFirst = 0;
    const wait = async () => {
      await untilItWaits();
      producedAtFirst = journal.produced;
    };
    expect(await receive('long', { wait })).toMatchObject({ status: 200, bytes: CHUNK * CHUNKS, isComplete: true });
    // The rest of 65 MB would have to be in buffers of the system.
    expect(producedAtFirst).toBeLessThan(CHUNKS / 2);
  });

  it('stops when the client is gone', async () => {
    const stopped = journal.stopped;
    await receive('long', { limit: 100_000 });
    while (journal.stopped === stopped) await delay(10);
    expect(journal.produced).toBeLessThan(CHUNKS);
  });

  it('stops when the client is gone before its first chunk', async () => {
    const stopped = journal.stopped;
    journal.produced = -1;
    const headers = { authorization: `Bearer ${service.key}` };
    const sent = request(`${service.baseUrl}/v1/reports/silent`, { headers, agent: false }).on('error', () => {});
    sent.end();
    while (journal.produced === -1) await delay(10);
    // Not only its sending side, as a client that still waits for its response may do.
    sent.socket!.resetAndDestroy();
    while (journal.stopped === stopped) await delay(10);
    expect(journal.produced).toBe(0);
  });

  it('that fails cuts the connection, and the log has the reason', async () => {
    expect(await receive('broken')).toMatchObject({ status: 200, text: 'first\n', isComplete: false });
    expect(errors.join()).toContain('the source is broken');
  });

  it('that fails before its first chunk is an Error body', async () => {
    const { status, text, isComplete } = await receive('refused');
    expect({ status, body: JSON.parse(text) as object, isComplete }).toEqual({
      status: 409,
      body: { code: 'CONFLICT', message: 'The report is locked.', status: 409 },
      isComplete: true,
    });
  });

  it('never writes an undeclared object as JSON', async () => {
    expect(await receive('mixed')).toMatchObject({ status: 200, text: 'first\n', isComplete: false });
    expect(errors.join()).toContain('can only send string and Uint8Array chunks');
  });

  it('is cut when there is no memory for its next chunk', async () => {
    expect(await receive('huge')).toMatchObject({ status: 200, text: 'first\n', isComplete: false });
    expect(errors).toHaveLength(1);
  });

  it('produces nothing further for HEAD', async () => {
    const stopped = journal.stopped;
    const headers = { authorization: `Bearer ${service.key}` };
    const { status, headers: received } = await fetch(`${service.baseUrl}/v1/reports/long`, {
      method: 'HEAD',
      headers,
    });
    expect([status, received.get('content-type')]).toEqual([200, 'text/csv']);
    while (journal.stopped === stopped) await delay(10);
    expect(journal.produced).toBeLessThan(CHUNKS);
  });
});

/** A response of the handler that is an async generator. */
async function exported(name: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${service.baseUrl}/v1/exports/${name}`, {
    method,
    // Without a Cache-Control, fetch would ask for a new body.
    headers: { authorization: `Bearer ${service.key}`, 'cache-control': 'max-age=0', ...headers },
  });
  const { status } = response;
  return { status, total: response.headers.get('x-total'), text: await response.text() };
}

describe('an operation whose handler is a generator', () => {
  it.each([
    [
      'sends the headers that it sets before its first chunk',
      'counted',
      {},
      'GET',
      { status: 200, total: '2', text: 'a\nb\n' },
    ],
    ['sends them in response to HEAD', 'counted', {}, 'HEAD', { status: 200, total: '2', text: '' }],
    [
      'sends 304 for the ETag that it sets',
      'tagged',
      { 'if-none-match': '"1"' },
      'GET',
      { status: 304, total: '2', text: '' },
    ],
    [
      'sends 304 to fetch, which adds Cache-Control',
      'tagged',
      { 'if-none-match': '"1"', 'cache-control': 'no-cache' },
      'GET',
      { status: 304, total: '2', text: '' },
    ],
    [
      'sends 304 for any ETag to If-None-Match: *',
      'tagged',
      { 'if-none-match': '*' },
      'GET',
      { status: 304, total: '2', text: '' },
    ],
    [
      'sends no 304 without an ETag',
      'counted',
      { 'if-none-match': '*' },
      'GET',
      { status: 200, total: '2', text: 'a\nb\n' },
    ],
  ])('%s', async (_, name, headers, method, expected) => {
    expect(await exported(name, headers, method)).toEqual(expected);
  });

  it.each([
    ['a header of another type', 'miscounted', 'export returned 200: the header X-Total must be an integer'],
    ['no required header', 'uncounted', 'export returned 200: the header X-Total is missing'],
    [
      'another media type',
      'page',
      'export returned 200: the media type is text/html, but text/csv is declared or was chosen by Accept',
    ],
    ['an undeclared status', 'unknown', 'export returned 202, which openapi.yaml does not declare'],
  ])('is a 500, and stops, when it sets %s', async (_, name, reason) => {
    const { stopped } = journal;
    const { status, text } = await exported(name);
    expect({ status, body: JSON.parse(text) as unknown }).toEqual(FAILED);
    expect(errors.join()).toContain(reason);
    while (journal.stopped === stopped) await delay(10);
  });
});

describe('a stream that is not sent', () => {
  it.each([
    ['its handler writes the response', 'exports/written', 500],
    ['its status has no body', 'exports/empty', 204],
    ['its first chunk finds no room', 'reports/wide', 503],
    ['its media type is not declared', 'reports/page', 500],
  ])('stops when %s', async (_, target, status) => {
    const { stopped } = journal;
    const headers = { authorization: `Bearer ${service.key}` };
    expect((await fetch(`${service.baseUrl}/v1/${target}`, { headers })).status).toBe(status);
    while (journal.stopped === stopped) await delay(10);
  });
});

describe('a text of an operation', () => {
  it.each(['huge text', 'huge bytes'])('for which there is no memory is a 503: %s', async (name) => {
    expect(await receive(name)).toMatchObject({ status: 503, isComplete: true });
  });
});
