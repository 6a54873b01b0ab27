import type { IncomingMessage } from 'node:http';
import { countOf } from './count-header.js';
import { ErrorBody } from '../../errors/error-body.js';
import { authorityOf } from './path-of.js';

/** Bytes. Node's own limit for all header fields together, request line included, is 16384. */
const MAX_TARGET = 8192;

/** RFC 9110, section 7.2: a name or an IP address, and optionally a port. */
const HOST = /^(?:\[[\dA-Fa-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/;

export const MALFORMED = ErrorBody.of('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.');
const NOT_ONE_HOST = ErrorBody.of('BAD_REQUEST', 'The request must have exactly one Host header field.');
const BAD_HOST = ErrorBody.of('BAD_REQUEST', 'The Host header field must contain a host and an optional port.');
/** RFC 9110, sections 4.2.1 and 4.2.4: without a host it is invalid, and with a user it may deceive. */
const BAD_AUTHORITY = ErrorBody.of('BAD_REQUEST', 'The request target must have a host and an optional port.');
export const LONG_TARGET = ErrorBody.of('URI_TOO_LONG', `The request target is longer than ${MAX_TARGET} bytes.`);

/** An error for a request that Node's parser accepts and RFC 9112 does not allow. */
export function checkRequest(request: IncomingMessage): ErrorBody | undefined {
  const { url = '', headers } = request;
  const { host, 'transfer-encoding': coding } = headers;
  if (request.httpVersionMajor !== 1) return MALFORMED;
  if (url.length > MAX_TARGET) return LONG_TARGET;
  if (host === undefined ? request.httpVersionMinor > 0 : countOf(request, 'host') > 1) return NOT_ONE_HOST;
  if (host !== undefined && !HOST.test(host)) return BAD_HOST;
  const authority = authorityOf(url);
  if (authority !== undefined && (/^(:|$)/.test(authority) || !HOST.test(authority))) return BAD_AUTHORITY;
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor === 0)) return MALFORMED;
  return undefined;
}
