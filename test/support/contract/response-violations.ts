import type { Response } from '../../contract/open-api.js';
import type { Answer } from '../http/answer.js';
import { headerViolations } from './header-violations.js';
import { schemaViolations } from './schema-violations.js';

export interface Circumstances {
  readonly isHead: boolean;
  /** Whether the service answers other origins, so that CORS headers are expected. */
  readonly cors: boolean;
}

/** What distinguishes an answer from a response of the contract, one sentence each. */
export function responseViolations(answer: Answer, response: Response, circumstances: Circumstances): string[] {
  return [
    ...headerViolations(answer, response, circumstances.cors),
    ...contentViolations(answer, response, circumstances.isHead),
    ...lengthViolations(answer, circumstances.isHead),
  ];
}

export function contentViolations(answer: Answer, response: Response, isHead: boolean): string[] {
  const mediaType = answer.headers['content-type']?.join(', ');
  if (!response.content) {
    return [
      ...(mediaType === undefined
        ? []
        : [`the answer has the media type ${mediaType} and the contract declares no body`]),
      ...(answer.bytes.length === 0 ? [] : ['the answer has a body and the contract declares none']),
    ];
  }
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(mediaType ?? '')) {
    return [`the media type is ${mediaType ?? 'missing'} instead of application/json`];
  }
  if (isHead) return answer.bytes.length === 0 ? [] : ['the answer to HEAD has a body'];
  return bodyViolations(answer, response);
}

function bodyViolations(answer: Answer, response: Response): string[] {
  let body: unknown;
  try {
    body = answer.json;
  } catch (error) {
    return [`the body is no JSON: ${(error as Error).message}`];
  }
  const violations = schemaViolations(body, response.content?.['application/json']?.schema ?? {});
  if (violations.length > 0 || answer.status < 400) return violations;
  const { status } = body as { status?: unknown };
  return status === answer.status ? [] : [`the member status is ${String(status)}`];
}

function lengthViolations(answer: Answer, isHead: boolean): string[] {
  const length = answer.headers['content-length']?.join(', ');
  if (answer.headers['transfer-encoding']) return ['the body is sent with Transfer-Encoding instead of Content-Length'];
  if (answer.status === 204) return length === undefined ? [] : ['a 204 has no Content-Length'];
  if (isHead) return /^\d*$/.test(length ?? '') ? [] : [`Content-Length is ${length}`];
  const actual = String(answer.bytes.length);
  return length === actual ? [] : [`Content-Length is ${length ?? 'missing'} and the body has ${actual} bytes`];
}
