import type { Header, Response, Schema } from '../../contract/open-api.js';
import type { Answer } from '../http/answer.js';
import { readJson } from './exact-json.js';
import { schemaViolations } from './schema-violations.js';

/** What HTTP itself puts on an answer, and what every answer of the service has; no contract lists these. */
const UNDECLARED_ALLOWED = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding', // judged with the length of the body
  'x-content-type-options',
  'x-powered-by', // judged with what holds for every answer
]);

/** Headers whose values are lists, so that they may be sent in several lines. */
const LISTS = new Set(['allow', 'link', 'vary', 'www-authenticate']);

export function headerViolations(answer: Answer, response: Response, cors: boolean): string[] {
  const declared = new Map(
    Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
  );
  return [
    ...standingViolations(answer),
    ...missingHeaders(answer, response),
    ...Object.entries(answer.headers).flatMap(([name, values]) => {
      if (values.length > 1 && !LISTS.has(name)) return [`the header ${name} is sent ${values.length} times`];
      const header = declared.get(name);
      if (header) return values.flatMap((value) => valueViolations(name, value, header));
      return isAllowed(name, cors) ? [] : [`the header ${name} is not declared`];
    }),
  ];
}

export function missingHeaders(answer: Answer, response: Response): string[] {
  return Object.entries(response.headers ?? {}).flatMap(([name, header]) =>
    header.required && !answer.headers[name.toLowerCase()] ? [`the header ${name} is missing`] : [],
  );
}

/** What holds for every answer of the service, inside the interface and around it. */
export function standingViolations({ headers }: Answer): string[] {
  return [
    ...(headers['x-content-type-options']?.join() === 'nosniff' ? [] : ['X-Content-Type-Options is not nosniff']),
    ...(headers['cache-control'] ? [] : ['the header Cache-Control is missing']),
    ...(headers['x-powered-by'] ? ['the header X-Powered-By tells what the service is made of'] : []),
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

function isAllowed(name: string, cors: boolean): boolean {
  return UNDECLARED_ALLOWED.has(name) || (cors && (name === 'vary' || name.startsWith('access-control-')));
}
