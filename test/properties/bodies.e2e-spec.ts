import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Body, anyBody, goodBody, nearlyBody } from './arbitraries.js';
import { ManyRequests, TIME } from '../support/http/many-requests.js';
import { badRequest, outcome } from './outcome.js';
import { type Pet, STATUSES, walk } from '../support/pets.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { readJson } from '../support/contract/exact-json.js';

const requests = new ManyRequests(6_000);
const create = (body: string | Buffer): Promise<HttpResponse> => requests.send('POST', '/v1/pets', { body });

describe('bodies', () => {
  const added = new Map<string, Pet>();

  async function expectAdded(response: HttpResponse, { pet }: Body): Promise<void> {
    expect(outcome(response)).toEqual({ status: 201, body: { ...pet, id: expect.anything() } });
    const { id } = response.json as Pet;
    expect(response.header('location')).toBe(`/v1/pets/${id}`);
    expect(added.has(String(id))).toBe(false);
    added.set(String(id), response.json as Pet);
    expect(outcome(await requests.send('GET', `/v1/pets/${id}`))).toEqual({ status: 200, body: response.json });
  }

  it(
    'are returned unchanged when they are valid',
    async () => {
      await requests.check(80, goodBody, async (body) => expectAdded(await create(body.text), body));
    },
    TIME,
  );

  it(
    'get 400 with each violation when they are invalid',
    async () => {
      await requests.check(120, anyBody, async (body) => {
        const response = await create(body.text);
        if (body.violations.length === 0) await expectAdded(response, body);
        else expect(outcome(response)).toEqual(badRequest(body.violations.join('; ')));
      });
    },
    TIME,
  );

  it(
    'get 400 when they are JSON but not an object',
    async () => {
      const notAnObject = fc
        .jsonValue({ maxDepth: 4 })
        .filter((value) => value === null || Array.isArray(value) || typeof value !== 'object');
      await requests.check(15, notAnObject, async (value) => {
        expect(outcome(await create(JSON.stringify(value)))).toEqual(badRequest('The body must be a JSON object.'));
      });
    },
    TIME,
  );

  it(
    'are read exactly or get 400 when they are nearly JSON or arbitrary bytes',
    async () => {
      const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 }).map((array) => Buffer.from(array));
      await requests.check(
        100,
        fc.oneof({ arbitrary: nearlyBody, weight: 9 }, { arbitrary: bytes, weight: 1 }),
        async (body) => {
          const response = await create(body);
          if (response.status === 201) {
            const { id, name, categoryId, status } = response.json as Pet;
            added.set(String(id), response.json as Pet);
            const sent = parseStrictly(body) as Pet;
            expect({ name, status }).toEqual({ name: sent.name, status: sent.status });
            // The JSON reader of the tests reads a number with an exponent as a double.
            const exact = typeof sent.categoryId === 'bigint';
            expect((exact ? categoryId : Number(categoryId)) === sent.categoryId).toBe(true);
          } else {
            expect(response.status).toBe(400);
            if (parseStrictly(body) === undefined) expect(response.text).toContain('The body is not valid JSON: ');
          }
        },
      );
    },
    TIME,
  );

  it(
    'are listed unchanged once accepted, and nothing else is listed',
    async () => {
      const pets = await walk(requests.service.api, '/v1/pets?limit=100');
      expect(pets).toEqual([...added.values()].toSorted((a, b) => Number(a.id) - Number(b.id)));
      for (const status of STATUSES) {
        const filtered = await walk(requests.service.api, `/v1/pets?limit=100&status=${status}`);
        expect(filtered).toEqual(pets.filter((pet) => pet.status === status));
      }
    },
    TIME,
  );
});

/** The value of JSON text; undefined when it is invalid. */
function parseStrictly(bytes: Buffer): unknown {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
