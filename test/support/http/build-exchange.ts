import { HttpResponse } from './http-response.js';
import { writeJson } from '../contract/exact-json.js';
import type { Exchange } from './exchange.js';

export interface ExchangeParts {
  readonly request?: string;
  readonly requestBody?: unknown;
  readonly raw?: boolean;
  readonly status?: number;
  /** Text is used unchanged, anything else as JSON; undefined means no body. */
  readonly body?: unknown;
  /** Null omits a default header. */
  readonly headers?: Record<string, string | string[] | null>;
}

/** A valid exchange, except for the given parts. */
export function buildExchange({
  request = 'GET /v1/pets',
  requestBody,
  raw = false,
  status = 200,
  body,
  headers = {},
}: ExchangeParts): Exchange {
  const [method, target] = request === '' ? [] : request.split(' ');
  const bytes = bytesOf(body);
  const all: Record<string, string | string[] | null> = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': '019a8b5c-7d2e-7f3a-9b4c-5d6e7f8091a2',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...(status === 204 || body !== undefined ? {} : { 'content-length': '0' }),
    ...headers,
  };
  const rawHeaders = Object.entries(all).flatMap(([name, values]) =>
    [values ?? []].flat().flatMap((value) => [name, value]),
  );
  return { method, target, body: bytesOf(requestBody), raw, response: new HttpResponse(status, rawHeaders, bytes) };
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : writeJson(body));
}
