import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isAnswered } from './edge-messages.js';
import { ErrorBody } from './error-body.js';

/** What Node's HTTP parser and its timers report: no request exists yet, so the answer is written by hand. */
export function answerParserFailures(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answer(socket, bodyOf(error.code)));
  server.on('connect', (_request, socket) =>
    answer(socket, new ErrorBody('BAD_REQUEST', 'This is no proxy: CONNECT is not understood.')),
  );
}

function bodyOf(code: string | undefined): ErrorBody {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ErrorBody(
        'REQUEST_HEADER_FIELDS_TOO_LARGE',
        `The header fields are larger than ${maxHeaderSize} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ErrorBody('REQUEST_TIMEOUT', 'The request did not arrive in time; send it faster.');
    default:
      return new ErrorBody('BAD_REQUEST', 'The request is not well-formed HTTP/1.1.');
  }
}

type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null };

function answer(socket: HttpSocket, body: ErrorBody): void {
  // Node's own name for the response that this connection is busy with; its default handler looks at it as well.
  // oxlint-disable-next-line no-underscore-dangle
  const pending = socket._httpMessage;
  if (!socket.writable || isAnswered(socket)) socket.destroy();
  // The request at fault came behind one that is still being answered.
  else if (pending?.req.complete) pending.once('finish', () => send(socket, body));
  // Half an answer is out: anything written now would be read as its rest.
  else if (pending?.headersSent) socket.destroy();
  else send(socket, body);
}

function send(socket: HttpSocket, body: ErrorBody): void {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
