import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { once } from 'node:events';
import { createServer, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { LeanResponse } from '../../src/platform/http/server/lean-response.js';

/** A call of the response, with what it is given; `set…` assigns a member. */
type Operation = readonly [call: string, ...args: unknown[]];

interface Program {
  readonly request: string;
  readonly operations: readonly Operation[];
}

/** What a program sees of the response, and what the caller sees of the program. */
interface Run {
  readonly seen: readonly unknown[];
  readonly bytes: string;
  readonly isClosed: boolean;
}

type AnyResponse = ServerResponse & Record<string, (...args: unknown[]) => unknown> & { getRawHeaderNames(): string[] };

/** Written behind an answer on a connection that goes on. */
const MARK = '\r\n<the answer ends here>\r\n';

const REQUEST = 'GET / HTTP/1.1\r\nHost: toys.test\r\n\r\n';
const REQUESTS = [
  REQUEST,
  'HEAD / HTTP/1.1\r\nHost: toys.test\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: toys.test\r\nConnection: close\r\n\r\n',
];

/** A server of one kind of response, and a connection to it that is kept for as long as the answers allow. */
class Bench {
  readonly #server: Server;
  #operations: readonly Operation[] = [];
  #seen: unknown[] = [];
  #socket?: Socket;

  constructor(response: typeof ServerResponse) {
    this.#server = createServer({ ServerResponse: response, keepAliveTimeout: 60_000 }, (request, answer) => {
      const { socket } = request;
      answer.on('error', () => {});
      answer.on('finish', () => socket.writable && socket.write(MARK));
      this.#seen = this.#operations.map((operation) => look(answer as AnyResponse, operation));
      // Nothing was sent that could come to an end.
      if (!answer.writableEnded || !answer.headersSent) socket.destroy();
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  stop(): void {
    this.#socket?.destroy();
    this.#server.close();
  }

  async run({ request, operations }: Program): Promise<Run> {
    this.#operations = operations;
    this.#socket ??= connect((this.#server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    const socket = this.#socket;
    socket.write(request);
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const end = () => {
        socket.off('data', add).off('end', end).off('error', end);
        resolve(text);
      };
      const add = (bytes: Buffer) => {
        text += bytes.toString('latin1');
        if (text.endsWith(MARK)) end();
      };
      socket.on('data', add).on('end', end).on('error', end);
    });
    const isClosed = !received.endsWith(MARK);
    if (isClosed) {
      socket.destroy();
      this.#socket = undefined;
    }
    const bytes = received.replace(MARK, '').replace(/\r\nDate: \w{3}, .* GMT\r\n/, '\r\nDate: now\r\n');
    return { seen: this.#seen, bytes, isClosed };
  }
}

/** The outcome of a call, and everything that can be asked afterwards. */
function look(response: AnyResponse, operation: Operation): unknown {
  const outcome = attempt(response, operation);
  const { statusCode, statusMessage, headersSent } = response;
  const headers = Object.entries(response.getHeaders());
  const names = [response.getHeaderNames(), response.getRawHeaderNames()];
  // Node's own lists, to which it adds.
  return structuredClone({ call: operation[0], outcome, headers, names, statusCode, statusMessage, headersSent });
}

function attempt(response: AnyResponse, operation: Operation): unknown {
  // Node adds to the lists that it is given.
  const [call, ...args] = structuredClone(operation) as [string, ...unknown[]];
  try {
    const member = /^set ./.exec(call) && call.slice(4);
    if (member) return Object.assign(response, { [member]: args[0] }) && undefined;
    const returned = response[call]!(...args.map((arg) => (isFields(arg) ? new Headers(arg.fields) : arg)));
    return returned === response ? 'the response' : returned;
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    return { name, code, message };
  }
}

/** `Headers` cannot be cloned. */
const isFields = (arg: unknown): arg is { fields: [string, string][] } =>
  typeof arg === 'object' && arg !== null && 'fields' in arg;

const lean = new Bench(LeanResponse);
const nodes = new Bench(ServerResponse);

beforeAll(() => Promise.all([lean.start(), nodes.start()]));
afterAll(() => {
  lean.stop();
  nodes.stop();
});

/** Both have the same outcome, and this is it. */
async function expectSame(program: Program): Promise<Run> {
  const [ours, theirs] = await Promise.all([lean.run(program), nodes.run(program)]);
  expect(ours).toStrictEqual(theirs);
  return ours;
}

const goodName = fc.oneof(
  { arbitrary: fc.constantFrom('X-Toy', 'x-toy', 'X-TOY', 'X-Color', 'x-color', 'Vary', 'vary'), weight: 6 },
  { arbitrary: fc.constantFrom('Set-Cookie', 'set-cookie', 'SET-COOKIE', 'Cookie', 'Link'), weight: 3 },
  { arbitrary: fc.constantFrom('Connection', 'Date', 'Content-Length', 'Transfer-Encoding', 'Keep-Alive'), weight: 3 },
  { arbitrary: fc.constantFrom('connection', 'date', 'content-length', 'transfer-encoding'), weight: 2 },
  { arbitrary: fc.constantFrom('Content-Type', 'Content-Disposition', 'ETag', 'Expect'), weight: 2 },
  { arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', "!#$%&'*+-.^_`|~"), weight: 1 },
);
const badName = fc.constantFrom<unknown>(
  '',
  ' ',
  'X Toy',
  'X-Toy:',
  'X-T\u00F6y',
  'X-Toy\r\nX: 1',
  undefined,
  null,
  7,
  {},
);
const name = fc.oneof({ arbitrary: goodName, weight: 14 }, { arbitrary: badName, weight: 1 });

const goodText = fc.oneof(
  fc.constantFrom('', 'red', 'close', 'keep-alive', 'chunked', 'a=1; Path=/', '0', '3', 'timeout=5', 'r\u00F6d'),
  fc.constantFrom('attachment; filename="r\u00F6d"', 'Fri, 20 Nov 2026 00:00:00 GMT', '\t', 'a, b'),
);
const goodValue = fc.oneof<fc.Arbitrary<unknown>[]>(
  goodText,
  goodText,
  fc.array(goodText, { maxLength: 3 }),
  fc.constantFrom(0, 3, -1.5, true, null),
);
const badValue = fc.constantFrom<unknown>(undefined, 'a\r\nb', '\0', '\u20AC', ['a', 'b\n'], ['\u{1F431}']);
const value = fc.oneof({ arbitrary: goodValue, weight: 14 }, { arbitrary: badValue, weight: 1 });

const fieldsOf = (names: fc.Arbitrary<unknown>, values: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(names, values), { maxLength: 4 });

const mapOrHeaders = fc.oneof(
  fieldsOf(name, value).map((fields) => new Map(fields)),
  // `Headers` itself refuses what is bad, and the value of a field can be told from others only for cookies.
  fieldsOf(
    goodName.filter((text) => text !== '__proto__'),
    goodText,
  ).map((fields) => ({ fields })),
  fc.constantFrom<unknown>(undefined, null, [], {}, 'X-Toy: red', [['X-Toy', 'red']]),
);

/** The fields of `writeHead`. Releases of Node differ in what a list does to a field that is set or listed already. */
const headFields = fc.oneof(
  // Node has fields that are named by numbers before all others.
  fieldsOf(
    name.map(String).filter((text) => text !== '7'),
    value,
  ).map((fields) => Object.fromEntries(fields)),
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('X-Head', 'x-shelf', 'ETag-', 'X-Empty', ''), value), {
      selector: ([listed]) => listed,
      maxLength: 4,
    })
    .map((fields) => fields.flat()),
  fc.constantFrom<unknown>(undefined, null, [], {}),
);
const status = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(200, 201, 204, 304, 404, 500, 599, 999), weight: 10 },
  { arbitrary: fc.constantFrom<unknown>('201', 204.5, 99, 1000, 0, -1, undefined, 'many', Number.NaN), weight: 2 },
);
const reason = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>('Fine', '', 'S\u00FC\u00DF'), weight: 6 },
  { arbitrary: fc.constantFrom<unknown>(undefined, null, 'a\r\nb', '\u20AC'), weight: 2 },
);
const head = fc.oneof(
  fc.tuple(fc.constant('writeHead'), status),
  fc.tuple(fc.constant('writeHead'), status, headFields),
  fc.tuple(fc.constant('writeHead'), status, reason),
  fc.tuple(fc.constant('writeHead'), status, reason, headFields),
);

const call = (text: string, ...args: fc.Arbitrary<unknown>[]) => fc.tuple(fc.constant(text), ...args);

const fieldOperation = fc.oneof(
  { arbitrary: call('setHeader', name, value), weight: 8 },
  { arbitrary: call('appendHeader', name, value), weight: 6 },
  { arbitrary: call('removeHeader', name), weight: 4 },
  { arbitrary: call('setHeaders', mapOrHeaders), weight: 3 },
  { arbitrary: call('getHeader', name), weight: 1 },
  { arbitrary: call('hasHeader', name), weight: 1 },
);
const statusOperation = fc.oneof(
  call('set statusCode', fc.constantFrom(200, 204, 404, 99)),
  call('set statusMessage', fc.constantFrom('Fine', '')),
  call('set sendDate', fc.boolean()),
);
const headOperation = fc.oneof(
  { arbitrary: head, weight: 4 },
  { arbitrary: call('flushHeaders'), weight: 1 },
  { arbitrary: call('write', fc.constantFrom('Ball', 'B\u00E4ll')), weight: 1 },
);
const body = fc.constantFrom<unknown[]>([], ['Ball'], ['B\u00E4ll', 'latin1'], [Buffer.from('Ball')]);

const program: fc.Arbitrary<Program> = fc
  .record({
    request: fc.oneof({ arbitrary: fc.constant(REQUEST), weight: 12 }, fc.constantFrom(...REQUESTS)),
    before: fc.array(fc.oneof({ arbitrary: fieldOperation, weight: 10 }, statusOperation), { maxLength: 7 }),
    heads: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, fc.array(headOperation, { maxLength: 2 })),
    between: fc.array(fieldOperation, { maxLength: 2 }),
    body,
    after: fc.array(fc.oneof(fieldOperation, head), { maxLength: 2 }),
  })
  .map(({ request, before, heads, between, body: chunk, after }) => ({
    request,
    operations: [...before, ...heads, ...between, ['end', ...chunk], ...after] as Operation[],
  }));

describe('a lean response', () => {
  it("returns, throws and sends what Node's does, for any calls", async () => {
    await fc.assert(
      fc.asyncProperty(program, async (any) => void (await expectSame(any))),
      { numRuns: 600 },
    );
  });

  it.each<[string, Operation[], string[]]>([
    ['of nothing', [], []],
    [
      'in the order in which they were first set, in the capitals in which they were last',
      [
        ['setHeader', 'X-Toy', '1'],
        ['setHeader', 'X-Color', 2],
        ['setHeader', 'x-TOY', '3'],
      ],
      ['x-TOY: 3', 'X-Color: 2'],
    ],
    [
      'behind the others once they were removed',
      [
        ['setHeader', 'X-Toy', '1'],
        ['setHeader', 'X-Color', '2'],
        ['removeHeader', 'x-toy'],
        ['setHeader', 'X-Toy', '3'],
      ],
      ['X-Color: 2', 'X-Toy: 3'],
    ],
    [
      'that were appended, in the capitals of the first',
      [
        ['appendHeader', 'X-Toy', '1'],
        ['appendHeader', 'x-toy', ['2', '3']],
        ['appendHeader', 'X-TOY', '4'],
      ],
      ['X-Toy: 1', 'X-Toy: 2', 'X-Toy: 3', 'X-Toy: 4'],
    ],
    [
      'with cookies one by one',
      [
        ['setHeader', 'Set-Cookie', ['a=1', 'b=2']],
        ['appendHeader', 'set-cookie', 'c=3'],
      ],
      ['Set-Cookie: a=1', 'Set-Cookie: b=2', 'Set-Cookie: c=3'],
    ],
    [
      'of a Map',
      [
        [
          'setHeaders',
          new Map<string, unknown>([
            ['X-Toy', 1],
            ['set-cookie', ['a=1', 'b=2']],
          ]),
        ],
      ],
      ['X-Toy: 1', 'set-cookie: a=1', 'set-cookie: b=2'],
    ],
    [
      'of Headers',
      [
        [
          'setHeaders',
          {
            fields: [
              ['X-Toy', '1'],
              ['Set-Cookie', 'a=1'],
              ['Set-Cookie', 'b=2'],
            ],
          },
        ],
      ],
      ['x-toy: 1', 'set-cookie: a=1', 'set-cookie: b=2'],
    ],
    [
      'of the head over those set before',
      [
        ['setHeader', 'X-Color', '1'],
        ['setHeader', 'X-Toy', '2'],
        ['writeHead', 200, { 'x-toy': '3', 'X-Shelf': '4' }],
      ],
      ['X-Color: 1', 'x-toy: 3', 'X-Shelf: 4'],
    ],
    [
      'of the head as a list over those set before',
      [
        ['setHeader', 'X-Color', '1'],
        ['setHeader', 'X-Toy', '2'],
        ['writeHead', 200, ['x-toy', '3', 'X-Shelf', '4']],
      ],
      ['X-Color: 1', 'x-toy: 3', 'X-Shelf: 4'],
    ],
    [
      'of the head as a list that names one twice',
      [['writeHead', 200, ['X-Toy', '1', 'X-Color', '2', 'X-Toy', '3']]],
      ['X-Toy: 1', 'X-Color: 2', 'X-Toy: 3'],
    ],
    [
      'of the head without a reason',
      [
        ['setHeader', 'X-Toy', '1'],
        ['writeHead', 200, undefined, { 'X-Color': '2' }],
      ],
      ['X-Toy: 1', 'X-Color: 2'],
    ],
    [
      'but for those of a list without an end',
      [
        ['setHeader', 'X-Toy', '1'],
        ['writeHead', 200, ['X-Toy', '2', 'X-Color']],
      ],
      ['X-Toy: 1'],
    ],
    [
      'but for those that are refused',
      [
        ['setHeader', 'X-Toy', '1'],
        ['setHeader', 'X-Toy', 'a\r\nX-Color: 1'],
        ['appendHeader', 'X-Toy', undefined],
        ['setHeader', 'X Toy', '1'],
        ['appendHeader', undefined, '1'],
        ['getHeader', undefined],
        ['hasHeader', undefined],
        ['removeHeader', undefined],
      ],
      ['X-Toy: 1'],
    ],
  ])('sends fields %s', async (_, operations, fields) => {
    const { bytes } = await expectSame({ request: REQUEST, operations: [...operations, ['end']] });
    const lines = bytes.split('\r\n');
    expect(lines.slice(0, lines.indexOf('Date: now'))).toEqual(['HTTP/1.1 200 OK', ...fields]);
  });

  it.each<[string, Operation[], string]>([
    [
      'a file whose name is not ASCII',
      [
        ['setHeader', 'Content-Disposition', 'attachment; filename="b\u00E4ll.png"'],
        ['end', 'Ball'],
      ],
      'Content-Length: 4\r\n\r\nBall',
    ],
    [
      'the status of a head whose fields were refused',
      [['setHeader', 'X-Toy', '1'], ['writeHead', 404, 'Gone Astray', { 'X-Toy': '\0' }], ['end']],
      'HTTP/1.1 404 Gone Astray\r\nX-Toy: 1\r\n',
    ],
    [
      'chunks when the length was removed',
      [
        ['removeHeader', 'Content-Length'],
        ['removeHeader', 'Date'],
        ['removeHeader', 'Connection'],
        ['end', 'Ball'],
      ],
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nBall\r\n0\r\n\r\n',
    ],
    [
      'the rest of the connection when chunks were removed as well',
      [
        ['removeHeader', 'Content-Length'],
        ['removeHeader', 'Transfer-Encoding'],
        ['end', 'Ball'],
      ],
      '\r\n\r\nBall',
    ],
    [
      'nothing after 204',
      [
        ['setHeader', 'X-Toy', '1'],
        ['writeHead', 204],
        ['end', 'Ball'],
      ],
      'X-Toy: 1\r\n',
    ],
    [
      'nothing when trailers were promised and there can be none',
      [['setHeader', 'Trailer', 'X-Toy'], ['setHeader', 'Content-Length', 0], ['end']],
      '',
    ],
  ])('sends %s', async (_, operations, expected) => {
    const { bytes } = await expectSame({ request: REQUEST, operations });
    expect(bytes).toContain(expected);
  });

  it('says what it is asked to do too late', async () => {
    const late: Operation[] = [
      ['setHeader', 'X-Toy', '2'],
      ['appendHeader', 'X-Toy', '2'],
      ['appendHeader', 'X-Color', '2'],
      ['removeHeader', 'X-Toy'],
      ['setHeaders', new Map([['X-Toy', '2']])],
      ['writeHead', 200],
      ['writeHead', 200, { 'X-Toy': '2' }],
    ];
    const { seen } = await expectSame({
      request: REQUEST,
      operations: [['setHeader', 'X-Toy', '1'], ['end'], ...late],
    });
    const verbs = ['set', 'append', 'append', 'remove', 'set', 'write', 'write'];
    expect(seen.slice(2)).toMatchObject(
      verbs.map((verb) => ({
        headers: [['x-toy', '1']],
        outcome: {
          code: 'ERR_HTTP_HEADERS_SENT',
          message: `Cannot ${verb} headers after they are sent to the client`,
        },
      })),
    );
  });
});

describe('a lean response, other than that of Node,', () => {
  it('leaves fields that are named by numbers where they were set', async () => {
    const operations: Operation[] = [['setHeader', 'X-Toy', '1'], ['setHeader', '7', '2'], ['end']];
    const sent = await Promise.all([lean, nodes].map((bench) => bench.run({ request: REQUEST, operations })));
    expect(sent.map(({ bytes }) => bytes.split('\r\n').slice(1, 3))).toEqual([
      ['X-Toy: 1', '7: 2'],
      ['7: 2', 'X-Toy: 1'],
    ]);
  });

  it('does not send what is no value', async () => {
    const operations: Operation[] = [['setHeader', 'X-Toy', ['1', undefined]], ['end']];
    const sent = await Promise.all([lean, nodes].map((bench) => bench.run({ request: REQUEST, operations })));
    expect(sent.map(({ bytes }) => bytes.split('\r\n').slice(1, 3))).toEqual([[], ['X-Toy: 1', 'X-Toy: undefined']]);
    expect(sent[0]!.seen[1]).toMatchObject({ outcome: { code: 'ERR_HTTP_INVALID_HEADER_VALUE' } });
  });
});
