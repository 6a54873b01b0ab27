import { HttpException, HttpStatus } from '@nestjs/common';
import type { RequestBody } from '../contract/contract.js';
import { Overloaded } from '../errors/overloaded.js';
import { countOf } from './request/count-header.js';
import { hasBody } from './request/body-length.js';
import type { BodyReceiver, EdgeRequest } from './request/edge-request.js';
import type { RequestMemory } from './request/request-memory.js';
import { usedEarly } from './server/early-body.js';

/**
 * Reads the body that an operation declares. Throws 415 for one that is not sent as JSON or is compressed, 413 for one
 * larger than `limit` bytes, 400 for one that ends early.
 */
export function readBody(request: EdgeRequest, declared: RequestBody, limit: number): Promise<Buffer> {
  request.isBodyDue = false;
  assertMediaType(request, declared);
  // Without an operation nothing reads a body.
  if (request.isBodyMissed) throw usedEarly(request.operation!);
  if (request.readableDidRead) throw new Error('A middleware has read the body before the service could validate it');
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  return receive(request, length, limit);
}

/** RFC 9110, section 10.1.1: a list of expectations. A server ignores that of an HTTP/1.0 client, and may ignore unknown ones. */
function expectsContinue({ headers, httpVersionMinor }: EdgeRequest): boolean {
  if (headers.expect === undefined || httpVersionMinor === 0) return false;
  return headers.expect.split(',').some((one) => one.trim().toLowerCase() === '100-continue');
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
    // Each request that reaches a handler has arrived on a connection.
    const body = new ArrivingBody(request.memory!, limit, resolve, reject);
    if (!body.start(length)) return;
    if (expectsContinue(request)) request.res?.writeContinue();
    request.receiveBody(body);
  });
}

class ArrivingBody implements BodyReceiver {
  /** Most bodies arrive in one chunk: a list that grows would reserve room for more. */
  #chunks?: Buffer[] = undefined;
  #bytes = 0;
  #hasFailed = false;

  constructor(
    private readonly memory: RequestMemory,
    private readonly limit: number,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  /** False when there is no room for a body of this length. */
  start(length: number): boolean {
    return this.memory.startBody(length, () => this.#fail(new Overloaded())) || this.#fail(new Overloaded());
  }

  add(chunk: Buffer): boolean {
    if (this.#hasFailed) return false;
    this.#bytes += chunk.length;
    if (this.#bytes > this.limit) return this.#fail(tooLarge(this.limit));
    if (!this.memory.hold(chunk.length)) return this.#fail(new Overloaded());
    if (this.#chunks) this.#chunks.push(chunk);
    else this.#chunks = [chunk];
    return true;
  }

  end(): void {
    this.memory.endBody();
    const whole = this.#chunks?.length === 1 ? this.#chunks[0] : undefined;
    this.resolve(whole ?? Buffer.concat(this.#chunks ?? []));
  }

  /** The promise must settle, although nothing reads its result. */
  abort(): void {
    this.#fail(new HttpException('The body is incomplete.', HttpStatus.BAD_REQUEST));
  }

  #fail(error: Error): false {
    this.#hasFailed = true;
    this.#chunks = undefined;
    this.reject(error);
    return false;
  }
}

function tooLarge(limit: number): HttpException {
  return new HttpException(`The body is larger than ${limit} bytes.`, HttpStatus.PAYLOAD_TOO_LARGE);
}
