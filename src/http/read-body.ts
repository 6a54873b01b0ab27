import { HttpException, HttpStatus } from '@nestjs/common';
import type { RequestBody } from '../contract/contract.js';
import { type EdgeRequest, hasBody } from './edge-messages.js';

/**
 * Reads the body that an operation declares. Throws 415 for one that is not declared as JSON or is compressed, 413 for
 * one larger than `limit` bytes, 400 for a missing one.
 */
export async function readBody(request: EdgeRequest, declared: RequestBody, limit: number): Promise<Buffer> {
  assertMediaType(request, declared);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.headers.expect?.toLowerCase() === '100-continue') request.res!.writeContinue();
  return receive(request, limit);
}

function assertMediaType(request: EdgeRequest, { mediaTypes }: RequestBody): void {
  const { 'content-type': contentType, 'content-encoding': coding = 'identity' } = request.headers;
  if (contentType === undefined && !hasBody(request)) return;
  if (!mediaTypes.includes(mediaTypeOf(contentType ?? ''))) {
    throw new HttpException(
      `The body must be sent with "Content-Type: ${mediaTypes.join('" or "')}".`,
      HttpStatus.UNSUPPORTED_MEDIA_TYPE,
    );
  }
  if (coding.toLowerCase() !== 'identity') {
    throw new HttpException('The body must be sent without a Content-Encoding.', HttpStatus.UNSUPPORTED_MEDIA_TYPE);
  }
}

/** The type without parameters; none when a charset other than UTF-8, the only one of JSON, is named. */
function mediaTypeOf(contentType: string): string {
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-8"?$/.test(charset) ? type!.trim() : '';
}

function receive(request: EdgeRequest, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= limit) return;
      request.off('data', onData);
      reject(tooLarge(limit));
    };
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Nobody is left to read an answer; the promise must settle all the same.
    request.once('error', () => reject(new HttpException('The body ended too early.', HttpStatus.BAD_REQUEST)));
  });
}

function tooLarge(limit: number): HttpException {
  return new HttpException(`The body is larger than ${limit} bytes.`, HttpStatus.PAYLOAD_TOO_LARGE);
}
