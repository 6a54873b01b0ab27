import { HttpException, HttpStatus } from '@nestjs/common';
import type { RequestBody } from '../contract/contract.js';
import { Overloaded } from '../errors/overloaded.js';
import { countOf } from './request/count-header.js';
import type { EdgeRequest } from './request/edge-request.js';
import { hasBody } from './request/body-length.js';

/**
 * Reads the body that an operation declares. Throws 415 for one that is not sent as JSON or is compressed, 413 for one
 * larger than `limit` bytes, 400 for one that ends early.
 */
export function readBody(request: EdgeRequest, declared: RequestBody, limit: number): Promise<Buffer> {
  assertMediaType(request, declared);
  if (request.readableDidRead) throw new Error('A middleware has read the body before the service could validate it');
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  return receive(request, length, limit);
}

/** RFC 9110, section 10.1.1: a server ignores the expectation of an HTTP/1.0 client. */
function expectsContinue({ headers, httpVersionMinor }: EdgeRequest): boolean {
  return httpVersionMinor > 0 && headers.expect?.toLowerCase() === '100-continue';
}

function assertMediaType(request: EdgeRequest, { mediaTypes }: RequestBody): void {
  const { 'content-type': contentType, 'content-encoding': coding = 'identity' } = request.headers;
  if (contentType === undefined && !hasBody(request)) return;
  if (!mediaTypes.includes(mediaTypeOf(contentType ?? '')) || countOf(request, 'content-type') > 1) {
    throw new HttpException(
      `The body must be sent with "Content-Type: ${mediaTypes.join('" or "')}".`,
      HttpStatus.UNSUPPORTED_MEDIA_TYPE,
    );
  }
  if (coding.toLowerCase() !== 'identity') {
    throw new HttpException('The body must be sent without a Content-Encoding.', HttpStatus.UNSUPPORTED_MEDIA_TYPE);
  }
}

const PARAMETER = /;\s*([\w-]+)=("(?:[^"\\]|\\.)*"|[^\s;"]*)/g;

/** The type without parameters, or an empty string if the charset is not UTF-8, which JSON requires. */
function mediaTypeOf(contentType: string): string {
  if (contentType === 'application/json') return contentType;
  const text = contentType.toLowerCase();
  const charsets = [...text.matchAll(PARAMETER)]
    .filter(([, name]) => name === 'charset')
    .map(([, , value = '']) => value);
  const [type = ''] = text.split(';');
  return charsets.every((charset) => /^"?utf-8"?$/.test(charset)) ? type.trim() : '';
}

function receive(request: EdgeRequest, length: number, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Most bodies arrive in one: a list that grows would reserve room for more.
    let chunks: Buffer[] | undefined;
    let bytes = 0;
    const fail = (error: Error) => {
      request.off('data', onData);
      chunks = undefined;
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limit) fail(tooLarge(limit));
      else if (!memory.addToBody(chunk.length)) fail(new Overloaded());
      else if (chunks) chunks.push(chunk);
      else chunks = [chunk];
    };
    // Each request that reaches a handler has arrived on a connection.
    const memory = request.memory!;
    if (!memory.startBody(length, () => fail(new Overloaded()))) {
      reject(new Overloaded());
      return;
    }
    if (expectsContinue(request)) request.res?.writeContinue();
    request.on('data', onData);
    // `on` costs less than `once`, and settling twice has no effect.
    request.on('end', () => {
      memory.endBody();
      const whole = chunks?.length === 1 ? chunks[0] : undefined;
      resolve(whole ?? Buffer.concat(chunks ?? []));
    });
    // The client is gone, but the promise must settle.
    request.on('error', () => reject(new HttpException('The body is incomplete.', HttpStatus.BAD_REQUEST)));
  });
}

function tooLarge(limit: number): HttpException {
  return new HttpException(`The body is larger than ${limit} bytes.`, HttpStatus.PAYLOAD_TOO_LARGE);
}
