import type { Response } from '../../../contract/open-api.js';
import type { HttpResponse } from '../../http/http-response.js';
import { type AddedHeaders, headerViolations } from './header-violations.js';
import { schemaViolations } from './schema-violations.js';

const JSON_TYPE = 'application/json';

export interface CheckOptions extends AddedHeaders {
  readonly isHead: boolean;
}

/** The differences between a response and its declaration, one sentence each. */
export function responseViolations(response: HttpResponse, declared: Response, options: CheckOptions): string[] {
  return [
    ...headerViolations(response, declared, options),
    ...contentViolations(response, declared, options.isHead),
    ...lengthViolations(response, declared, options.isHead),
  ];
}

export function contentViolations(response: HttpResponse, declared: Response, isHead: boolean): string[] {
  const mediaType = response.headers['content-type']?.join(', ');
  const types = Object.keys(declared.content ?? {});
  if (types.length === 0) {
    return [
      ...(mediaType === undefined
        ? []
        : [`the response has the media type ${mediaType} and the contract declares no body`]),
      ...(response.bytes.length === 0 ? [] : ['the response has a body and the contract declares none']),
    ];
  }
  const sent = types.find((type) => isOfType(mediaType ?? '', type));
  if (sent === undefined) return [`the media type is ${mediaType ?? 'missing'} instead of ${types.join(' or ')}`];
  if (isHead) return response.bytes.length === 0 ? [] : ['the response to HEAD has a body'];
  return sent === JSON_TYPE ? bodyViolations(response, declared) : [];
}

/** JSON is always UTF-8. Other types may have any parameters, such as another charset. */
function isOfType(written: string, type: string): boolean {
  if (type === JSON_TYPE) return /^application\/json(; ?charset=utf-8)?$/i.test(written);
  return written.split(';')[0]!.trim().toLowerCase() === type;
}

function bodyViolations(response: HttpResponse, declared: Response): string[] {
  let body: unknown;
  try {
    body = response.json;
  } catch (error) {
    return [`the body is not JSON: ${(error as Error).message}`];
  }
  const violations = schemaViolations(body, declared.content?.[JSON_TYPE]?.schema ?? {});
  if (violations.length > 0 || response.status < 400) return violations;
  const { status } = body as { status?: unknown };
  return status === response.status ? [] : [`the member status is ${String(status)}`];
}

function lengthViolations(response: HttpResponse, declared: Response, isHead: boolean): string[] {
  const length = response.headers['content-length']?.join(', ');
  const coding = response.headers['transfer-encoding']?.join(', ');
  if (coding !== undefined) {
    if (!mayBeStream(response, declared)) return ['the body is sent with Transfer-Encoding instead of Content-Length'];
    const isChunked = coding === 'chunked' && length === undefined;
    return isChunked ? [] : [`Transfer-Encoding is ${coding} and Content-Length is ${length ?? 'missing'}`];
  }
  if (response.status === 204) return length === undefined ? [] : ['a 204 has no Content-Length'];
  // HTTP lets a 304 have the length of the body that the caller has.
  if (isHead || response.status === 304) return /^\d*$/.test(length ?? '') ? [] : [`Content-Length is ${length}`];
  const actual = String(response.bytes.length);
  return length === actual ? [] : [`Content-Length is ${length ?? 'missing'} and the body has ${actual} bytes`];
}

/** Only JSON is complete before its first byte is sent. */
function mayBeStream(response: HttpResponse, { content = {} }: Response): boolean {
  const mediaType = response.headers['content-type']?.join(', ') ?? '';
  return Object.keys(content).some((type) => type !== JSON_TYPE && isOfType(mediaType, type));
}
