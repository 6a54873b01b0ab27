import { REDIRECT_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import type { RequestHandler } from 'express';
import { types } from 'node:util';
import type { Operation } from '../../contract/contract.js';
import type { DeclaredResponse, Responses } from '../../contract/responses/declared-response.js';
import { JSON_TYPE } from '../../contract/responses/media-types.js';
import { placeInSource } from '../../process/place-in-source.js';
import { StartError } from '../../process/start-error.js';
import { handlerOf } from './handler-parameters.js';

/** What a handler may return, with the types of JSON that it may be in a response. */
const JSON_TYPES = {
  'a number': ['number', 'integer'],
  'a bigint': ['number', 'integer'],
  'a text': ['string'],
  'a boolean': ['boolean'],
  'a Date': ['string'],
  'a list': ['array'],
  'a Map or Set': [],
  'a stream': [],
  'a synchronous generator': [],
  null: ['null'],
  nothing: [],
};

export type Returned = keyof typeof JSON_TYPES;

/** As TypeScript emits them for decorators. It emits the same for void as for no type, and Object for alternatives, also null. */
const EMITTED = new Map<unknown, Returned>([
  [Number, 'a number'],
  [BigInt, 'a bigint'],
  [String, 'a text'],
  [Boolean, 'a boolean'],
  [Date, 'a Date'],
  [Array, 'a list'],
  [Map, 'a Map or Set'],
  [Set, 'a Map or Set'],
]);

/** Statuses that have no body, so that Nest drops what a handler returns. */
const DROPPING = new Set([204, 205]);

/** Throws a StartError for a handler whose type is that of no success: each call would be a 500. */
export function assertReturnType({ id, position, responses }: Operation, handler: RequestHandler): void {
  const { method, returnType, isWrapped } = handlerOf(handler);
  const generated = types.isAsyncFunction(method) ? 'a stream' : 'a synchronous generator';
  const returned = types.isGeneratorFunction(method) ? generated : EMITTED.get(returnType);
  // An interceptor may convert it, and `@Redirect` and `@Sse` send something else.
  const isOther = [REDIRECT_METADATA, SSE_METADATA].some((key) => Reflect.hasMetadata(key, handler));
  if (returned === undefined || isOther || isWrapped() || mayReturn(responses, [returned])) return;
  const place = placeInSource(...(handler.name.split('.') as [string, string]));
  throw new StartError(
    `${position} ${handler.name}${place === undefined ? '' : ` (${place})`} returns ${returned}, which fits no success that openapi.yaml declares for ${id}, so that each call would fail with 500; return what is declared there, or convert it in an interceptor.`,
  );
}

/** Whether one of these may be the body of a success. An operation that declares none only throws, or redirects. */
export function mayReturn(responses: Responses, returned: readonly Returned[]): boolean {
  const successes = [...responses].filter(([status]) => status < 300);
  return (
    successes.length === 0 ||
    successes.some(([status, response]) => returned.some((one) => mayBe(one, status, response)))
  );
}

function mayBe(returned: Returned, status: number, { mediaTypes, jsonTypes }: DeclaredResponse): boolean {
  if (mediaTypes.length === 0) return returned === 'nothing' || DROPPING.has(status);
  if (jsonTypes.some((type) => (JSON_TYPES[returned] as readonly string[]).includes(type))) return true;
  const isText = returned === 'a text' || returned === 'a stream';
  return isText && mediaTypes.some((type) => type !== JSON_TYPE);
}
