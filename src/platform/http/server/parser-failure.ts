import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endAndLinger } from '../internals/linger.js';
import { currentResponse, discardInput } from '../internals/parsed-requests.js';
import { LONG_TARGET, MALFORMED } from '../request/check-request.js';
import type { EdgeRequest } from '../request/edge-request.js';
import { COMMON_HEADERS } from '../request/fixed-headers.js';
import { newRequestId, REQUEST_ID } from '../outcomes/request-id.js';
import { isAnsweredEarly } from './early-responses.js';
import { ErrorBody } from '../../errors/error-body.js';

/** Reports an error that was written to a socket, with the request if it could be read, and the bytes of the body. */
type Report = (request: EdgeRequest | undefined, requestId: string, status: number, bytes: number) => void;

/**
 * Responds to errors of Node's HTTP parser and timers. Node makes no response then, so the error is written to the socket.
 */
export function rejectUnparsable(server: Server, report: Report): void {
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    // A parser that has failed reports every further packet again.
    if (failed.has(socket)) return;
    failed.add(socket);
    if (isUnused(error, socket as Socket)) {
      socket.destroy();
      return;
    }
    // After a timeout the parser goes on: the rest of the request would be carried out although its response is 408.
    discardInput(socket);
    respond(socket, bodyOf(error), report);
  });
  server.on('connect', (request, socket) => {
    // Node has detached this socket: handle its errors ourselves.
    socket.on('error', () => socket.destroy());
    respond(socket, ErrorBody.of('BAD_REQUEST', 'CONNECT is not supported.'), report, request as EdgeRequest);
  });
}

/** Node's parser no longer reports errors after a request for an upgrade, which the service ignores. */
export function closeAfterUpgrade({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.upgrade !== undefined) response.setHeader('Connection', 'close');
}

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/**
 * Whether a timeout is that of a connection on which nothing has arrived yet. No request has failed then, and a client that
 * opens connections in advance would take a 408 for the response to its first request.
 */
function isUnused({ code }: ParserError, { bytesRead }: Socket): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0;
}

function bodyOf({ code, rawPacket }: ParserError): ErrorBody {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      if (rawPacket && isWithinTarget(rawPacket)) return LONG_TARGET;
      return ErrorBody.of(
        'REQUEST_HEADER_FIELDS_TOO_LARGE',
        `The target and the header fields are larger than ${maxHeaderSize} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ErrorBody.of('REQUEST_TIMEOUT', 'The request did not arrive in time; send it faster.');
    default:
      return MALFORMED;
  }
}

/** Whether the parser failed within the target. Only the last piece is known: a target in several pieces counts as header fields. */
function isWithinTarget(bytes: Buffer): boolean {
  return /^[A-Z]+ \S+$/.test(bytes.toString('latin1', 0, maxHeaderSize));
}

/** `request` is the faulty one, if it could be read. */
function respond(socket: Duplex, body: ErrorBody, report: Report, request?: EdgeRequest): void {
  const current = currentResponse(socket);
  if (!socket.writable) socket.destroy();
  // The faulty request was pipelined behind this one, and perhaps others, which Node makes the current one in turn.
  else if (current?.req.complete) current.once('finish', () => respond(socket, body, report, request));
  else if (isAnsweredEarly(socket)) endAndLinger(socket);
  // Part of the response is sent: the client would read an error as its remainder.
  else if (current?.headersSent) socket.destroy();
  // The body of the current request is the faulty one.
  else send(socket, body, report, request ?? (current?.req as EdgeRequest | undefined));
}

function send(socket: Duplex, body: ErrorBody, report: Report, request: EdgeRequest | undefined): void {
  const text = body.toJson();
  const bytes = Buffer.byteLength(text);
  const requestId = request?.requestId ?? newRequestId();
  const head = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    `${REQUEST_ID}: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  endAndLinger(socket, `${head.join('\r\n')}\r\n${COMMON_HEADERS.lines}\r\n${text}`);
  report(request, requestId, body.status, bytes);
}
