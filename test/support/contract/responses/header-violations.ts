import type { Header, Response, Schema } from '../../../contract/open-api.js';
import type { HttpResponse } from '../../http/http-response.js';
import { readJson } from '../exact-json.js';
import { schemaViolations } from './schema-violations.js';

/** Headers that HTTP itself adds or that every response has; no contract declares them. */
const UNDECLARED_ALLOWED = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding', // checked with the length of the body
  'x-content-type-options',
  'x-powered-by', // checked by commonViolations
  'x-request-id', // checked by commonViolations
]);

/** Headers that Nest adds to each event stream. */
const OF_EVENTS = new Set(['expires', 'pragma', 'x-accel-buffering']);

/** Headers whose values are lists, so they may be repeated. */
const LISTS = new Set(['allow', 'link', 'vary', 'www-authenticate']);

export interface AddedHeaders {
  /** Whether the service allows other origins, so CORS headers are expected. */
  readonly cors: boolean;
  /** Whether requests choose a media type by `Accept`. */
  readonly choosesMediaType: boolean;
}

export function headerViolations(response: HttpResponse, declared: Response, added: AddedHeaders): string[] {
  const declaredHeaders = new Map(
    Object.entries(declared.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
  );
  return [
    ...commonViolations(response),
    ...missingHeaders(response, declared),
    ...Object.entries(response.headers).flatMap(([name, values]) => {
      if (values.length > 1 && !LISTS.has(name)) return [`the header ${name} is sent ${values.length} times`];
      const header = declaredHeaders.get(name);
      if (header) return values.flatMap((value) => valueViolations(name, value, header));
      return isAllowed(name, response, added) ? [] : [`the header ${name} is not declared`];
    }),
  ];
}

export function missingHeaders(response: HttpResponse, declared: Response): string[] {
  return Object.entries(declared.headers ?? {}).flatMap(([name, header]) =>
    header.required && !response.headers[name.toLowerCase()] ? [`the header ${name} is missing`] : [],
  );
}

/** Violations of the rules for every response, also outside the contract. */
export function commonViolations({ headers }: HttpResponse): string[] {
  return [
    ...(headers['x-content-type-options']?.join() === 'nosniff' ? [] : ['X-Content-Type-Options is not nosniff']),
    ...(headers['cache-control'] ? [] : ['the header Cache-Control is missing']),
    ...(/^[\w.~+/=:@-]{1,128}$/.test(headers['x-request-id']?.join() ?? '')
      ? []
      : ['X-Request-Id is missing or malformed']),
    ...(headers['x-powered-by'] ? ['the header X-Powered-By reveals the server software'] : []),
  ];
}

function valueViolations(name: string, text: string, { schema = {} }: Header): string[] {
  return schemaViolations(headerValue(text, schema), schema, `the header ${name}`);
}

function headerValue(text: string, { type }: Schema): unknown {
  if (type !== 'integer' && type !== 'number' && type !== 'boolean') return text;
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function isAllowed(name: string, { headers }: HttpResponse, { cors, choosesMediaType }: AddedHeaders): boolean {
  if (name === 'vary') return cors || (choosesMediaType && headers[name]?.join() === 'Accept');
  if (OF_EVENTS.has(name)) return headers['content-type']?.join() === 'text/event-stream';
  return UNDECLARED_ALLOWED.has(name) || (cors && name.startsWith('access-control-'));
}
