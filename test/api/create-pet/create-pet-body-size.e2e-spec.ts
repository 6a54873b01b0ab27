import { describe, expect, it } from '@jest/globals';
import { outcome, rejection } from '../../properties/outcome.js';
import { startApp } from '../../support/start-app.js';

const NEW_PET = { name: 'Rex', categoryId: 7 };
/** Bytes. */
const BODY_LIMIT = 102_400;
const TOO_LARGE = rejection(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${BODY_LIMIT} bytes.`);

/** A valid body of the given number of bytes. */
function bodyOf(bytes: number): string {
  const around = '{"categoryId":7,"name":""}';
  return around.replace('""', `"${'x'.repeat(bytes - around.length)}"`);
}

describe('POST /pets with a large body', () => {
  const CHUNKED = { 'content-length': null, 'transfer-encoding': 'chunked' };

  it.each<[string, Record<string, string | null>]>([
    ['Content-Length', {}],
    ['chunks', CHUNKED],
  ])('accepts 100 kB and rejects one byte more with 413, sent with %s', async (_, headers) => {
    const { api } = await startApp();
    const accepted = await api.post('/v1/pets', bodyOf(BODY_LIMIT), { headers });
    const rejected = await api.post('/v1/pets', bodyOf(BODY_LIMIT + 1), { headers });
    const { name } = JSON.parse(bodyOf(BODY_LIMIT)) as { name: string };
    expect([accepted, rejected].map(outcome)).toStrictEqual([
      { status: 201, body: { id: 1, name, categoryId: 7 } },
      TOO_LARGE,
    ]);
    expect((await api.get('/v1/pets')).json).toHaveLength(1);
  });

  it('counts bytes, not characters', async () => {
    const { api } = await startApp();
    const response = await api.post('/v1/pets', { name: '🦊'.repeat(25_600), categoryId: 7 });
    expect(outcome(response)).toStrictEqual(TOO_LARGE);
  });

  it('rejects a body of 20 MB, and the caller receives the response', async () => {
    const { api } = await startApp();
    const responses = [await api.post('/v1/pets', bodyOf(20_000_000)), await api.post('/v1/pets', NEW_PET)];
    expect(responses.map(outcome)).toStrictEqual([TOO_LARGE, { status: 201, body: { id: 1, ...NEW_PET } }]);
  });

  it('creates a pet of the greatest limit, and confirms it while its body takes half of the memory for bodies', async () => {
    const { baseUrl, key } = await startApp({ bodyLimit: 16_777_216 });
    const body = bodyOf(16_777_216);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/v1/pets`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    const name = body.slice(body.indexOf('"x'), -1);
    expect((await response.text()) === `{"id":1,"name":${name},"categoryId":7}`).toBe(true);
  });

  it('applies the configured limit', async () => {
    const { api } = await startApp({ bodyLimit: 100 });
    const responses = [await api.post('/v1/pets', bodyOf(100)), await api.post('/v1/pets', bodyOf(101))];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 201, body: { id: 1, name: 'x'.repeat(74), categoryId: 7 } },
      rejection(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 100 bytes.'),
    ]);
  });
});
