import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { LONG_TARGET, MALFORMED } from '../request/check-request.js';
import { COMMON_HEADERS } from '../fixed-headers.js';
import { isAnsweredEarly, LINGER_TIME } from './early-responses.js';
import { ErrorBody } from '../../errors/error-body.js';

/** What Node's HTTP parser and its timers report: no request exists yet, so the answer is written by hand. */
export function answerParserFailures(server: Server): void {
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    // A parser that has given up complains anew about every packet that follows.
    if (failed.has(socket)) return;
    failed.add(socket);
    answer(socket, bodyOf(error));
  });
  server.on('connect', (_request, socket) => {
    // Node has let go of the socket: what happens to it is nobody else's business any more.
    socket.on('error', () => socket.destroy());
    answer(socket, ErrorBody.of('BAD_REQUEST', 'CONNECT is not supported.'));
  });
}

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

function bodyOf({ code, rawPacket }: ParserError): ErrorBody {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      if (rawPacket && isWithinTarget(rawPacket)) return LONG_TARGET;
      return ErrorBody.of(
        'REQUEST_HEADER_FIELDS_TOO_LARGE',
        `The header fields are larger than ${maxHeaderSize} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ErrorBody.of('REQUEST_TIMEOUT', 'The request did not arrive in time; send it faster.');
    default:
      return MALFORMED;
  }
}

/** Whether the bytes on which the parser gave up are of a request line without an end. */
function isWithinTarget(bytes: Buffer): boolean {
  return /^[A-Z]+ \S+$/.test(bytes.toString('latin1', 0, maxHeaderSize));
}

type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null };

function answer(socket: HttpSocket, body: ErrorBody): void {
  // Node's own name for the response that this connection is busy with; its default handler looks at it as well.
  // oxlint-disable-next-line no-underscore-dangle
  const pending = socket._httpMessage;
  if (!socket.writable) socket.destroy();
  // The request at fault came behind this one, and perhaps behind others: Node makes the next of them the pending one.
  else if (pending?.req.complete) pending.once('finish', () => answer(socket, body));
  else if (isAnsweredEarly(socket)) end(socket);
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
    ...COMMON_HEADERS.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  end(socket, `${head.join('\r\n')}\r\n\r\n${text}`);
}

function end(socket: HttpSocket, last?: string): void {
  socket.end(last);
  // A client that never ends its side would keep the connection for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_TIME);
  socket.once('close', () => clearTimeout(timer));
}
