import { HttpResponse } from '../http-response.js';

/** The readable parts of one request. */
export interface SentRequest {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly body: Buffer;
}

const UNREADABLE: SentRequest = { method: undefined, target: undefined, body: Buffer.alloc(0) };

/** The pipelined requests in the bytes; unreadable bytes become a last request, perhaps without method and target. */
export function readRequests(bytes: Buffer): SentRequest[] {
  const requests: SentRequest[] = [];
  let rest = withoutEmptyLines(bytes);
  while (rest.length > 0) {
    const head = readHead(rest);
    const line = /^([A-Z-]+) (\S+) HTTP\/\d\.\d$/.exec(head?.firstLine ?? '');
    if (!head || !line) return [...requests, { ...UNREADABLE, ...lineOf(rest) }];
    const framed = readBody(rest.subarray(head.length), head.headers, 0);
    requests.push({ method: line[1], target: line[2], body: framed?.body ?? Buffer.alloc(0) });
    if (!framed) return requests;
    rest = withoutEmptyLines(rest.subarray(head.length + framed.length));
  }
  return requests;
}

/** The first response in the bytes, with its preceding 1xx responses; undefined while bytes are missing. */
export function readResponse(
  bytes: Buffer,
  isHead: boolean,
  ended: boolean,
): { response: HttpResponse; length: number } | undefined {
  const interim: number[] = [];
  let start = 0;
  for (;;) {
    const head = readHead(bytes.subarray(start));
    if (!head) return undefined;
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(head.firstLine)?.[1] ?? NaN);
    if (Number.isNaN(status)) throw new Error(`a response begins with ${JSON.stringify(head.firstLine)}`);
    start += head.length;
    if (status < 200 && status !== 101) {
      interim.push(status);
      continue;
    }
    const rest = bytes.subarray(start);
    const isBodiless = isHead || status === 204 || status === 304;
    // Without framing, the body ends with the connection.
    const unframedLength = isBodiless ? 0 : ended ? rest.length : undefined;
    const framed = readBody(rest, isBodiless ? [] : head.headers, unframedLength);
    return (
      framed && {
        response: new HttpResponse(status, head.headers, framed.body, interim),
        length: start + framed.length,
      }
    );
  }
}

/** A server ignores empty lines before a request line (RFC 9112, section 2.2). */
function withoutEmptyLines(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes.toString('latin1', start, start + 2) === '\r\n') start += 2;
  return bytes.subarray(start);
}

function lineOf(bytes: Buffer): Partial<SentRequest> {
  const line = /^([A-Z-]+) (\S+) HTTP\/\d\.\d\r?\n/.exec(bytes.toString('latin1'));
  return line ? { method: line[1], target: line[2] } : {};
}

function readHead(bytes: Buffer): { firstLine: string; headers: string[]; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [firstLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  return { firstLine, headers, length: end + 4 };
}

function readBody(
  bytes: Buffer,
  headers: readonly string[],
  unframedLength: number | undefined,
): { body: Buffer; length: number } | undefined {
  if (/chunked/i.test(headerValue(headers, 'transfer-encoding') ?? '')) return readChunks(bytes);
  const declared = headerValue(headers, 'content-length');
  const length = declared === undefined ? unframedLength : Number(declared);
  if (length === undefined || !(length <= bytes.length)) return undefined;
  return { body: bytes.subarray(0, length), length };
}

function headerValue(headers: readonly string[], name: string): string | undefined {
  const index = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? undefined : headers[index + 1];
}

function readChunks(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  let start = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', start);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', start, lineEnd), 16);
    if (size === 0) return endOfChunks(bytes, lineEnd, Buffer.concat(chunks));
    const next = lineEnd + 2 + size + 2;
    if (Number.isNaN(size) || next > bytes.length) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    start = next;
  }
}

/** Skips trailers and the final empty line. */
function endOfChunks(bytes: Buffer, lastLineEnd: number, body: Buffer): { body: Buffer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n', lastLineEnd);
  return end === -1 ? undefined : { body, length: end + 4 };
}
