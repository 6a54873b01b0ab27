import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outcome } from '../../properties/outcome.js';
import { walk } from '../../support/pets.js';
import {
  MALFORMED,
  REX,
  chunk,
  creation,
  listRequest,
  goodCreation,
  message,
} from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

let service: StartedApp;
let stored: number;

const countPets = async (): Promise<number> => (await walk(service.api, '/v1/pets?limit=100')).length;

/** A creation hidden in the body of another request; its pet must never be stored. */
const smuggled = (): string => goodCreation(service.key).replace('"Rex"', '"Sly"');
const length = (text: string): string => `Content-Length: ${text.length}`;

beforeAll(async () => {
  service = await startApp();
});

beforeEach(async () => {
  stored = await countPets();
});

afterEach(async () => {
  const pets = await walk(service.api, '/v1/pets?limit=100');
  expect(pets.filter(({ name }) => name === 'Sly')).toEqual([]);
});

async function expectMalformed(bytes: string): Promise<void> {
  const { responses, closed } = await service.sendRaw(bytes);
  expect({ ...outcome(responses[0]!), closed }).toEqual({ ...MALFORMED, closed: true });
  expect(await countPets()).toBe(stored);
}

describe('Content-Length', () => {
  it.each([
    ['twice with two values', (body: string) => [`Content-Length: ${body.length}`, 'Content-Length: 0']],
    ['twice with two values, the smaller one first', (body: string) => ['Content-Length: 0', length(body)]],
    ['twice with one value', (body: string) => [length(body), length(body)]],
    ['as a list of two values', (body: string) => [`${length(body)}, 0`]],
    ['as a list of one value', (body: string) => [`${length(body)}, ${body.length}`]],
    ['below zero', () => ['Content-Length: -1']],
    ['with a plus sign', (body: string) => [`Content-Length: +${body.length}`]],
    ['in hexadecimal', (body: string) => [`Content-Length: 0x${body.length.toString(16)}`]],
    ['in hexadecimal without a prefix', () => ['Content-Length: 1F']],
    ['as a fraction', (body: string) => [`${length(body)}.0`]],
    ['with an exponent', () => ['Content-Length: 1e2']],
    ['in quotes', (body: string) => [`Content-Length: "${body.length}"`]],
    ['with a space inside', () => ['Content-Length: 2 9']],
    ['empty', () => ['Content-Length:']],
    ['beyond 64 bits', () => ['Content-Length: 18446744073709551616']],
    ['beyond 64 bits, with a small value after overflow', () => ['Content-Length: 18446744073709551645']],
    ['with digits of another script', () => ['Content-Length: \xb2\xb9']],
    ['as a word', () => ['Content-Length: all']],
    ['after a space before the colon', (body: string) => [`Content-Length : ${body.length}`]],
    ['in a folded line', (body: string) => [`Content-Length:\r\n ${body.length}`]],
    ['in a folded line after another field', (body: string) => [`X-Field: one\r\n ${length(body)}`]],
  ])('is rejected: %s', async (_, headers) => {
    await expectMalformed(creation(service.key, headers(REX), REX));
    const body = `${REX}${smuggled()}`;
    await expectMalformed(creation(service.key, headers(body), body));
  });

  it('accepts leading zeros', async () => {
    const { responses } = await service.sendRaw(
      creation(service.key, ['Content-Length: 00029', 'Connection: close'], REX),
    );
    expect(responses[0]?.status).toBe(201);
  });

  it('treats the bytes beyond it as the next request', async () => {
    const connection = await service.connect();
    connection.send(creation(service.key, [length(REX)], `${REX}${REX}`));
    expect((await connection.response()).status).toBe(201);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
    expect(await countPets()).toBe(stored + 1);
  });

  it('ends the body', async () => {
    const connection = await service.connect();
    connection.send(creation(service.key, ['Content-Length: 10'], REX));
    expect(await connection.response()).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } });
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
    expect(await countPets()).toBe(stored);
  });

  it('gets 400 if the client ends within the body', async () => {
    const connection = await service.connect();
    connection.send(creation(service.key, ['Content-Length: 30'], REX)).finish();
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
    expect(await countPets()).toBe(stored);
  });
});

describe('Transfer-Encoding', () => {
  const chunked = (): string => `${chunk(REX)}0\r\n\r\n`;

  it.each([
    ['with Content-Length', (body: string) => [length(body), 'Transfer-Encoding: chunked']],
    ['before Content-Length', (body: string) => ['Transfer-Encoding: chunked', length(body)]],
    ['with a Content-Length of zero', () => ['Content-Length: 0', 'Transfer-Encoding: chunked']],
    [
      'with a Content-Length in lower case',
      (body: string) => ['transfer-encoding: chunked', `content-length: ${body.length}`],
    ],
    ['with a space before the colon', () => ['Transfer-Encoding : chunked']],
    ['with a vertical tab before the value', () => ['Transfer-Encoding: \x0bchunked']],
    ['with a NUL after the value', () => ['Transfer-Encoding: chunked\0']],
    ['in a folded line', () => ['Transfer-Encoding:\r\n chunked']],
    ['in a folded line after another field', () => ['X-Field: one\r\n Transfer-Encoding: chunked']],
    ['with a coding after chunked', () => ['Transfer-Encoding: chunked, identity']],
    [
      'with a coding after chunked in another line',
      () => ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ],
    ['with chunked twice', () => ['Transfer-Encoding: chunked, chunked']],
    ['with chunked in two lines', () => ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['without chunked', () => ['Transfer-Encoding: gzip']],
    ['identity alone', () => ['Transfer-Encoding: identity']],
    ['with an unknown coding', () => ['Transfer-Encoding: xchunked']],
    ['with a coding that begins like chunked', () => ['Transfer-Encoding: chunkedx']],
    ['in quotes', () => ['Transfer-Encoding: "chunked"']],
    ['misspelt with Content-Length', (body: string) => ['Transfer-Encoding: chunke', length(body)]],
  ])('is rejected: %s', async (_, headers) => {
    await expectMalformed(creation(service.key, headers(chunked()), chunked()));
    const hidden = `${chunked()}${smuggled()}`;
    await expectMalformed(creation(service.key, headers(hidden), hidden));
  });

  it.each(['gzip, chunked', 'deflate, chunked', 'identity, chunked', 'x, chunked'])(
    'is rejected with an unsupported coding, and closes the connection: %j',
    async (value) => {
      const request = creation(service.key, [`Transfer-Encoding: ${value}`], chunked());
      const connection = await service.connect();
      // Behind another request, the body has arrived before the response.
      connection.send(listRequest(service.key) + request);
      const statuses = [(await connection.response()).status, (await connection.response()).status];
      expect([statuses, await connection.isClosed()]).toEqual([[200, 400], true]);
      expect(await countPets()).toBe(stored);
    },
  );

  it('is rejected when it is empty and Content-Length is sent', async () => {
    const headers = ['Transfer-Encoding:', `Content-Length: ${REX.length}`, 'Connection: close'];
    const { responses } = await service.sendRaw(creation(service.key, headers, REX));
    expect(responses[0]?.status).toBe(400);
    expect(await countPets()).toBe(stored);
  });

  it('closes the connection in HTTP/1.0, which does not define it', async () => {
    const request = creation(service.key, ['Connection: keep-alive', 'Transfer-Encoding: chunked'], chunked());
    const { closed } = await service.sendRaw(request.replace('HTTP/1.1', 'HTTP/1.0'));
    expect(closed).toBe(true);
  });

  it.each([
    ['in one chunk', chunk(REX)],
    ['in a chunk for each byte', REX.split('').map(chunk).join('')],
    ['with zeros before the size', `0000${chunk(REX)}`],
    ['with sizes in upper case', chunk(REX).replace('1d', '1D')],
    ['with an extension', chunk(REX).replace('\r\n', ';name=value;other="quoted"\r\n')],
  ])('accepts a chunked body %s', async (_, body) => {
    const { responses } = await service.sendRaw(
      creation(service.key, ['Transfer-Encoding: Chunked', 'Connection: close'], `${body}0\r\n\r\n`),
    );
    expect(responses[0]?.json).toEqual({ id: expect.anything(), name: 'Rex', categoryId: 7 });
  });

  it('accepts trailers and ignores them', async () => {
    const trailers = ['X-Sum: 1', 'Authorization: Bearer x', 'Content-Type: text/plain', 'Host: x'];
    const request = creation(
      service.key,
      ['Transfer-Encoding: chunked'],
      `${chunk(REX)}0\r\n${trailers.join('\r\n')}\r\n\r\n`,
    );
    const connection = await service.connect();
    connection.send(request);
    expect((await connection.response()).status).toBe(201);
    connection.send(goodCreation(service.key));
    expect((await connection.response()).status).toBe(201);
    expect(await countPets()).toBe(stored + 2);
  });
});

describe('a chunk', () => {
  it.each([
    ['has no size', `\r\n${REX}\r\n0\r\n\r\n`],
    ['has a size that is not a number', `size\r\n${REX}\r\n0\r\n\r\n`],
    ['has a size below zero', `-1d\r\n${REX}\r\n0\r\n\r\n`],
    ['has a size with a plus sign', `+${chunk(REX)}0\r\n\r\n`],
    ['has a size with a prefix', `0x${chunk(REX)}0\r\n\r\n`],
    ['has a size after a space', ` ${chunk(REX)}0\r\n\r\n`],
    ['has a size beyond 64 bits', `10000000000000000${chunk(REX)}0\r\n\r\n`],
    [
      'has a size that is small only after overflow',
      `1000000000000001d\r\n${REX}\r\n0\r\n\r\n`.replace('1000', '10000'),
    ],
    ['has a size with an underscore', `1_d\r\n${REX}\r\n0\r\n\r\n`],
    ['has a size that ends with a bare line feed', `1d\n${REX}\r\n0\r\n\r\n`],
    ['has a size that ends with a bare carriage return', `1d\r${REX}\r\n0\r\n\r\n`],
    ['has an extension with a line feed', `1d;a\nb\r\n${REX}\r\n0\r\n\r\n`],
    ['has an extension with a NUL', `1d;a\0b\r\n${REX}\r\n0\r\n\r\n`],
    ['is shorter than its size', `1e\r\n${REX}\r\n0\r\n\r\n`],
    ['is longer than its size', `1c\r\n${REX}\r\n0\r\n\r\n`],
    ['does not end with a new line', `1d\r\n${REX}0\r\n\r\n`],
    ['ends with a bare line feed', `1d\r\n${REX}\n0\r\n\r\n`],
    ['ends with a bare carriage return', `1d\r\n${REX}\r0\r\n\r\n`],
    ['is last and ends with bare line feeds', `${chunk(REX)}0\n\n`],
    ['is last and has a bad trailer', `${chunk(REX)}0\r\nX Field: value\r\n\r\n`],
    ['is last and has a Content-Length after it', `${chunk(REX)}0\r\nContent-Length: 3\r\n\r\n`],
    ['is last and has a folded trailer', `${chunk(REX)}0\r\nX-Field: one\r\n two\r\n\r\n`],
  ])('gets 400 when it %s', async (_, body) => {
    await expectMalformed(creation(service.key, ['Transfer-Encoding: chunked'], body));
  });

  it('is rejected with 100 kB of extensions', async () => {
    const body = `1d;${'x'.repeat(100_000)}\r\n${REX}\r\n0\r\n\r\n`;
    const { responses } = await service.sendRaw(creation(service.key, ['Transfer-Encoding: chunked'], body));
    expect([400, 413]).toContain(responses[0]?.status);
    expect(await countPets()).toBe(stored);
  });

  it('is rejected with 100 kB of trailers', async () => {
    const body = `${chunk(REX)}0\r\nX-Field: ${'x'.repeat(100_000)}\r\n\r\n`;
    const { responses, closed } = await service.sendRaw(creation(service.key, ['Transfer-Encoding: chunked'], body));
    expect([responses[0]?.status, closed]).toEqual([431, true]);
    expect(await countPets()).toBe(stored);
  });
});

describe('a request hidden in another', () => {
  it.each([
    [
      'the body of a list request',
      () => message(['GET /v1/pets HTTP/1.1', 'Host: localhost', length(smuggled())], smuggled()),
    ],
    [
      'the body of a request for an unknown path',
      () => message(['POST /v1/dogs HTTP/1.1', 'Host: localhost', length(smuggled())], smuggled()),
    ],
    [
      'the body of a request with an unknown method',
      () => message(['PUT /v1/pets HTTP/1.1', 'Host: localhost', length(smuggled())], smuggled()),
    ],
    [
      'the body of a request outside the contract',
      () => message(['GET /live HTTP/1.1', 'Host: localhost', length(smuggled())], smuggled()),
    ],
    ['the body of a request with a wrong key', () => creation('wrong', [length(smuggled())], smuggled())],
    [
      'the body of a request with a wrong key, in chunks',
      () => creation('wrong', ['Transfer-Encoding: chunked'], `${chunk(smuggled())}0\r\n\r\n`),
    ],
    [
      'the body of a request with an unsupported coding',
      () => creation(service.key, ['Content-Encoding: gzip', length(smuggled())], smuggled()),
    ],
    [
      'the body of a request for an upgrade',
      () => creation(service.key, ['Connection: Upgrade', 'Upgrade: h2c', length(smuggled())], smuggled()),
    ],
    [
      'the body of a HEAD request',
      () => message(['HEAD /v1/pets HTTP/1.1', 'Host: localhost', length(smuggled())], smuggled()),
    ],
    ['a body that waits for 100', () => creation('wrong', ['Expect: 100-continue', length(smuggled())], smuggled())],
    [
      'a body with an unsupported coding that waits for 100',
      () => creation(service.key, ['Expect: 100-continue', 'Content-Encoding: x', length(smuggled())], smuggled()),
    ],
    [
      'a body that is too large',
      () => creation(service.key, [`Content-Length: ${102_401 + smuggled().length}`], 'x'.repeat(102_401) + smuggled()),
    ],
    ['the bytes after CONNECT', () => message(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost:80'], smuggled())],
    [
      'the bytes after Connection: close',
      () => message(['GET /v1/pets HTTP/1.1', 'Host: localhost', 'Connection: close'], smuggled()),
    ],
    ['the bytes after an HTTP/1.0 request', () => message(['GET /v1/pets HTTP/1.0', 'Host: localhost'], smuggled())],
  ])('is never executed: %s', async (_, bytes) => {
    await service.sendRaw(bytes());
    expect(await countPets()).toBe(stored);
  });
});
