import { describe, expect, it } from '@jest/globals';
import { dereference } from './documents/dereference.js';
import { readOpenApi } from './open-api.js';

/** The headers by status, with `?` for an optional one. No decorator declares these responses, so this list does. */
const EXPECTED = {
  204: ['Allow', 'X-Request-Id'],
  400: ['X-Request-Id'],
  404: ['X-Request-Id'],
  405: ['Allow', 'X-Request-Id'],
  408: ['X-Request-Id'],
  414: ['X-Request-Id'],
  431: ['X-Request-Id'],
  500: ['X-Request-Id'],
  503: ['Retry-After', 'X-Request-Id'],
};

describe('x-protocol-responses of openapi.yaml', () => {
  const document = dereference(readOpenApi());
  const responses = Object.entries(document['x-protocol-responses'] ?? {});

  it('declares every response outside of operations, with the headers that it always has', () => {
    const declared = responses.map(([status, { headers = {} }]) => [
      status,
      Object.entries(headers).map(([name, { required = false }]) => (required ? name : `${name}?`)),
    ]);
    expect(Object.fromEntries(declared)).toEqual(EXPECTED);
  });

  it('declares an Error body for every error', () => {
    const errors = responses.filter(([status]) => status !== '204');
    const json = { 'application/json': expect.objectContaining({ schema: document.components!.schemas!.Error }) };
    expect(errors.map(([status, { content }]) => [status, content])).toEqual(errors.map(([status]) => [status, json]));
  });
});
