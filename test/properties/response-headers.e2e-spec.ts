import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listedHeaders } from '../../src/platform/http/response/listed-headers.js';

type Call = readonly [method: string, ...args: unknown[]];

const name = fc.constantFrom('X-Toy', 'x-toy', 'Link', 'Set-Cookie', 'Cache-Control', 'Content-Type', 'not a name', '');
const value = fc.constantFrom<unknown>(
  'a',
  'b, c',
  7,
  '',
  ['d', 'e'],
  ['f'],
  [],
  undefined,
  'two\nlines',
  'é',
  '\u{1F600}',
);
const pair = fc.tuple(fc.constantFrom('X-Toy', 'x-TOY', 'Link', 'X-Other'), fc.constantFrom('g', 'h'));

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constant('setHeader'), name, value),
  fc.tuple(fc.constant('appendHeader'), name, value),
  fc.tuple(fc.constantFrom('removeHeader', 'getHeader', 'hasHeader'), name),
  fc.tuple(fc.constantFrom('getHeaders', 'getHeaderNames')),
  pair.map(([key, text]): Call => ['setHeaders', new Map([[key, text]])]),
);

const head: fc.Arbitrary<Call> = fc.oneof(
  fc.constant<Call>(['flushHeaders']),
  fc.constant<Call>(['writeHead', 200]),
  fc.constant<Call>(['writeHead', 200, 'Fine']),
  pair.map(([key, text]): Call => ['writeHead', 200, { [key]: text }]),
  pair.map(([key, text]): Call => ['writeHead', 200, 'Fine', { [key]: text }]),
  // Of a repeated name, Node 20 keeps the last value if another header was set before; we keep all, as Node does otherwise.
  fc
    .uniqueArray(pair, { maxLength: 3, selector: ([key]) => key.toLowerCase() })
    .map((pairs): Call => ['writeHead', 200, pairs.flat()]),
);

const calls = fc
  .tuple(fc.array(call, { maxLength: 6 }), head, fc.array(call, { maxLength: 2 }))
  .map(([before, written, after]) => [...before, written, ...after]);

let current: Call[];
let servers: Server[];

/** What a call returns, or the code of its error. */
function outcome(response: ServerResponse, [method, ...args]: Call): unknown {
  try {
    const methods = response as unknown as Record<string, (...args: unknown[]) => unknown>;
    // Node adds to an array that it was given.
    const result = methods[method]!(...structuredClone(args));
    return result === response ? 'itself' : result;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

beforeAll(async () => {
  servers = [ServerResponse, listedHeaders(ServerResponse.prototype) as unknown as typeof ServerResponse].map((Class) =>
    createServer({ ServerResponse: Class }, (_, response) => {
      const outcomes: unknown[] = [];
      for (const each of current) {
        const wasSent = response.headersSent;
        const result = outcome(response, each);
        // Node forgets the headers of a list once it has sent them; we do not.
        outcomes.push(wasSent && /^(get|has)/.test(each[0]) ? 'may differ' : result);
      }
      response.end(JSON.stringify(outcomes));
    }).listen(0),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
});

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function responseOf(server: Server): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port }), 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  const lines = response.rawHeaders.flatMap((key, index, all) => (index % 2 ? [] : [`${key}: ${all[index + 1]}`]));
  return {
    message: response.statusMessage,
    lines: lines.filter((line) => !line.startsWith('Date:')).toSorted(),
    outcomes: JSON.parse(Buffer.concat(chunks).toString()),
  };
}

it('has the same headers, results and errors as a response of Node, whatever methods are called', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (made) => {
      current = made;
      const [ofNode, ofOurs] = await Promise.all(servers.map(responseOf));
      expect(ofOurs).toEqual(ofNode);
    }),
    { numRuns: 1000 },
  );
});
