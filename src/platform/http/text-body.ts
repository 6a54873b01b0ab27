import { StreamableFile } from '@nestjs/common';
import { essenceOf } from '../contract/responses/media-types.js';
import type { EdgeResponse } from './request/edge-request.js';
import { assertRoomForResponse } from './request/request-memory.js';
import type { OperationRoute } from './request/operation-route.js';
import { ResponseViolation } from './response-violation.js';

/**
 * A body that is not JSON, as Nest sends it, with the media type that the contract declares. Throws a ResponseViolation for
 * another media type, and for a body that would be written as JSON; Overloaded when there is no room for a large one.
 */
export function textBody(
  response: EdgeResponse,
  operation: OperationRoute,
  mediaType: string,
  body: unknown,
): string | StreamableFile {
  const fail = (reason: string) => new ResponseViolation(operation, response.statusCode, reason);
  const given = response.getHeader('Content-Type') ?? typeOf(body);
  const essence = essenceOf(given ?? mediaType);
  if (essence !== mediaType)
    throw fail(`the media type is ${essence}, but ${mediaType} is declared or was chosen by Accept`);
  const coding = response.getHeader('Transfer-Encoding');
  if (coding !== undefined && String(coding).toLowerCase() !== 'chunked')
    throw fail(`the header Transfer-Encoding is ${String(coding)}, with which no client finds the end of the body`);
  if (!isText(body)) throw fail(`a body of the media type ${mediaType} must be text, bytes or a stream`);
  if (!(body instanceof StreamableFile)) assertRoomForResponse(response.req, Buffer.byteLength(body));
  if (response.getHeader('Content-Type') === undefined) response.setHeader('Content-Type', mediaType);
  // Nest would write bytes as JSON.
  return body instanceof Uint8Array ? new StreamableFile(body) : body;
}

/** Undefined for Nest's default type of a file, which says nothing about the body. */
function typeOf(body: unknown): string | undefined {
  const type = body instanceof StreamableFile ? body.getHeaders().type : undefined;
  return type === 'application/octet-stream' ? undefined : type;
}

function isText(body: unknown): body is string | Uint8Array | StreamableFile {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof StreamableFile;
}
