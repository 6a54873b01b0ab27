import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CODED,
  INVALID_KEY,
  NO_JSON,
  methodNotAllowed,
  noResourceAt,
  outcome,
  rejection,
} from '../../properties/outcome.js';
import { REX, chunk, creation, goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

const CONTINUE = 'Expect: 100-continue';
const LENGTH = `Content-Length: ${REX.length}`;
const CREATED = { status: 201, body: { id: expect.anything(), name: 'Rex', categoryId: 7 } };

let service: StartedApp;

beforeAll(async () => {
  service = await startApp();
});

afterEach(async () => {
  expect((await service.api.get('/v1/pets')).status).toBe(200);
});

describe('Expect: 100-continue', () => {
  it.each([
    ['with a length', [CONTINUE, LENGTH], REX],
    ['in chunks', [CONTINUE, 'Transfer-Encoding: chunked'], `${chunk(REX)}0\r\n\r\n`],
    ['in capital letters', ['EXPECT: 100-CONTINUE', LENGTH], REX],
    ['in two headers', [CONTINUE, CONTINUE, LENGTH], REX],
    ['beside another expectation', ['Expect: 200-ok,100-continue', LENGTH], REX],
  ])('gets 100 before the body is sent: %s', async (_, headers, body) => {
    const connection = await service.connect();
    connection.send(creation(service.key, headers, ''));
    await expect(received(connection)).resolves.toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.send(body);
    const response = await connection.response();
    expect({ ...outcome(response), interim: response.interim }).toEqual({ ...CREATED, interim: [100] });
    expect(await connection.send(listRequest(service.key)).response()).toMatchObject({ status: 200 });
  });

  it('gets one final response when the body does not wait for 100', async () => {
    const connection = await service.connect();
    connection.send(goodCreation(service.key, CONTINUE) + listRequest(service.key));
    expect(outcome(await connection.response())).toEqual(CREATED);
    expect((await connection.response()).status).toBe(200);
  });

  it.each([
    ['a wrong key', () => creation('wrong', [CONTINUE, LENGTH], ''), INVALID_KEY],
    [
      'a body that is too large',
      () => creation(service.key, [CONTINUE, 'Content-Length: 102401'], ''),
      rejection(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 102400 bytes.'),
    ],
    [
      'an unsupported media type',
      () => creation(service.key, [CONTINUE, LENGTH], '').replace('application/json', 'text/plain'),
      NO_JSON,
    ],
    ['an unsupported coding', () => creation(service.key, [CONTINUE, LENGTH, 'Content-Encoding: br'], ''), CODED],
    [
      'an unknown path',
      () => creation(service.key, [CONTINUE, LENGTH], '').replace('/v1/pets', '/v1/dogs'),
      noResourceAt('/v1/dogs'),
    ],
    [
      'an unknown method',
      () => creation(service.key, [CONTINUE, LENGTH], '').replace('POST', 'PUT'),
      methodNotAllowed('PUT', '/v1/pets', 'GET, HEAD, OPTIONS, POST'),
    ],
  ])('does not get 100 for %s', async (_, bytes, expected) => {
    const { responses, closed } = await service.sendRaw(bytes());
    expect({ ...outcome(responses[0]!), interim: responses[0]!.interim }).toEqual({ ...expected, interim: [] });
    // The client may or may not send the body now, so the next request could start anywhere.
    expect(closed).toBe(true);
  });

  it('does not get 100 for a list request, which reads no body', async () => {
    const { responses } = await service.sendRaw(listRequest(service.key, CONTINUE, LENGTH));
    expect([responses[0]?.status, responses[0]?.interim]).toEqual([200, []]);
  });

  it('is ignored in HTTP/1.0, which does not define it', async () => {
    const request = goodCreation(service.key, CONTINUE).replace('HTTP/1.1', 'HTTP/1.0');
    const { responses } = await service.sendRaw(request);
    expect({ ...outcome(responses[0]!), interim: responses[0]!.interim }).toEqual({ ...CREATED, interim: [] });
  });
});

describe('Expect: anything else', () => {
  it.each(['Expect: 200-ok', 'Expect: 100-continued', 'Expect: a=b', 'Expect:'])('is ignored: %j', async (header) => {
    const { responses } = await service.sendRaw(goodCreation(service.key, header, 'Connection: close'));
    expect(outcome(responses[0]!)).toEqual(CREATED);
  });

  it('does not bypass the key check', async () => {
    const { responses } = await service.sendRaw(goodCreation('wrong', 'Expect: 200-ok', 'Connection: close'));
    expect(outcome(responses[0]!)).toEqual(INVALID_KEY);
  });
});

/** Waits for the first bytes and returns them. */
async function received(connection: { readonly unread: Buffer; isClosed(timeout: number): Promise<boolean> }) {
  while (connection.unread.length === 0) await connection.isClosed(10);
  return connection.unread.toString('latin1');
}
