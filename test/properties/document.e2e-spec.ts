import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { HttpResponse } from '../support/http/http-response.js';
import { ManyRequests, TIME } from '../support/http/many-requests.js';
import { nextTarget } from '../support/pets.js';
import { type DocumentedOperation, type DocumentedRequest, requestsOf } from './documented-requests.js';

const ROOT = new URL('../../', import.meta.url);

/** The document as `npm run verify` reads it: with Ajv, and nothing of the service. */
const { readOperations } = (await import(new URL('tools/verify/contract.mjs', ROOT).href)) as {
  readonly readOperations: (text: string) => DocumentedOperation[];
};
const { differencesOf } = (await import(new URL('tools/verify/differences.mjs', ROOT).href)) as {
  readonly differencesOf: (operation: DocumentedOperation, response: object, expected: number) => string[];
};

/** Those of pets: the requests consist of what these use of OpenAPI. */
const OPERATIONS = readOperations(readFileSync(new URL('openapi.yaml', ROOT), 'utf8')).filter(({ path }) =>
  /^\/pets(\/|$)/.test(path),
);

const requests = new ManyRequests(9_000);

/** An invalid path is the path of nothing, where the operation declares no 400. */
function expectedStatus({ responses }: DocumentedOperation, { isValid }: DocumentedRequest, status: number): number {
  if (!isValid) return responses.has(400) ? 400 : 404;
  const success = [...responses.keys()].find((each) => each < 300);
  // A valid id need not be that of a resource.
  return status === 404 && responses.has(404) ? 404 : success!;
}

function differences(operation: DocumentedOperation, request: DocumentedRequest, response: HttpResponse): string[] {
  const { status } = response;
  const view = {
    status,
    method: operation.method,
    json: JSON.parse(response.text) as unknown,
    headers: {
      get: (name: string) => response.header(name) ?? null,
      has: (name: string) => response.header(name) !== undefined,
    },
  };
  return differencesOf(operation, view, expectedStatus(operation, request, status));
}

const usedKeys = new Set<string>();

/** Leaves out a key that was sent before, which gets 422 for another request, as documented. */
function withoutUsedKey({ headers, validHeaders }: DocumentedRequest) {
  const { 'Idempotency-Key': given = '', ...others } = headers;
  if (!validHeaders.includes('Idempotency-Key')) return headers;
  // The same text with and without quotes is the same key.
  const key = given.replaceAll(/^"|"$/g, '');
  if (usedKeys.has(key)) return others;
  usedKeys.add(key);
  return headers;
}

describe('a caller who knows only openapi.yaml', () => {
  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'sees nothing that differs from it, whatever it sends to %s',
    async (_, operation) => {
      const seen = { valid: 0, invalid: 0 };
      const { arbitrary, learn } = requestsOf(operation);
      await requests.check(150, arbitrary, async (request) => {
        const { target, body, isValid } = request;
        const headers = withoutUsedKey(request);
        const response = await requests.send(operation.method, `/v1${target}`, { headers, body });
        expect({ target, body, differences: differences(operation, request, response) }).toEqual({
          target,
          body,
          differences: [],
        });
        if (learn && response.status === 200) learn(nextTarget(response));
        seen[isValid ? 'valid' : 'invalid'] += 1;
      });
      // Both verdicts occur often enough to mean something.
      expect(Math.min(seen.valid, seen.invalid) / (seen.valid + seen.invalid)).toBeGreaterThan(0.15);
    },
    TIME,
  );
});
