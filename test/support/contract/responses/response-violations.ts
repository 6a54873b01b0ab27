import type { Response } from '../../../contract/open-api.js';
import type { HttpResponse } from '../../http/http-response.js';
import { headerViolations } from './header-violations.js';
import { schemaViolations } from './schema-violations.js';

export interface CheckOptions {
  readonly isHead: boolean;
  /** Whether the service allows other origins, so CORS headers are expected. */
  readonly cors: boolean;
}

/** The differences between a response and its declaration, one sentence each. */
export function responseViolations(response: HttpResponse, declared: Response, options: CheckOptions): string[] {
  return [
    ...headerViolations(response, declared, options.cors),
    ...contentViolations(response, declared, options.isHead),
    ...lengthViolations(response, options.isHead),
  ];
}

export function contentViolations(response: HttpResponse, declared: Response, isHead: boolean): string[] {
  const mediaType = response.headers['content-type']?.join(', ');
  if (!declared.content) {
    return [
      ...(mediaType === undefined
        ? []
        : [`the response has the media type ${mediaType} and the contract declares no body`]),
      ...(response.bytes.length === 0 ? [] : ['the response has a body and the contract declares none']),
    ];
  }
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(mediaType ?? '')) {
    return [`the media type is ${mediaType ?? 'missing'} instead of application/json`];
  }
  if (isHead) return response.bytes.length === 0 ? [] : ['the response to HEAD has a body'];
  return bodyViolations(response, declared);
}

function bodyViolations(response: HttpResponse, declared: Response): string[] {
  let body: unknown;
  try {
    body = response.json;
  } catch (error) {
    return [`the body is not JSON: ${(error as Error).message}`];
  }
  const violations = schemaViolations(body, declared.content?.['application/json']?.schema ?? {});
  if (violations.length > 0 || response.status < 400) return violations;
  const { status } = body as { status?: unknown };
  return status === response.status ? [] : [`the member status is ${String(status)}`];
}

function lengthViolations(response: HttpResponse, isHead: boolean): string[] {
  const length = response.headers['content-length']?.join(', ');
  if (response.headers['transfer-encoding'])
    return ['the body is sent with Transfer-Encoding instead of Content-Length'];
  if (response.status === 204) return length === undefined ? [] : ['a 204 has no Content-Length'];
  if (isHead) return /^\d*$/.test(length ?? '') ? [] : [`Content-Length is ${length}`];
  const actual = String(response.bytes.length);
  return length === actual ? [] : [`Content-Length is ${length ?? 'missing'} and the body has ${actual} bytes`];
}
