import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Express, Response } from 'express';
import { HELP, LINK_WAYS } from '../nest/toys/responses/retired-toys.controller.js';
import { SchemeGuard } from '../../../src/platform/http/scheme.guard.js';
import { startToys } from '../nest/toys/start-toys.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

type Respond = (response: Response) => void;

const COMMON = ['X-Content-Type-Options: nosniff', 'Cache-Control: no-store', 'X-Request-Id: ours'];
const JSON_BODY = ['Content-Type: application/json'];

let service: StartedApp;
let respond: Respond;
/** Called with every response before its handler. */
let beforeHandler: Respond = () => {};

/** Never refuses, so operations need no 403. */
class BeforeHandler extends SchemeGuard {
  protected readonly scheme = 'none';

  override canActivate(context: ExecutionContext): true {
    beforeHandler(context.switchToHttp().getResponse<Response>());
    return true;
  }

  protected authenticate(): true {
    return true;
  }
}

beforeAll(async () => {
  service = await startApp({}, { prepare: (app) => void app.useGlobalGuards(new BeforeHandler()) });
  const express: Express = service.app.getHttpAdapter().getInstance();
  // Nest has registered its handler for unknown paths; this route must precede it.
  express.get('/headers', (_, response) => respond(response));
  const { stack } = express.router;
  stack.unshift(...stack.splice(-1));
  for (const name of ['Rex', 'Tom']) await service.api.post('/v1/pets', { name, categoryId: 7 });
});

afterEach(() => {
  beforeHandler = () => {};
});

/** The sorted header lines without those of the connection. */
async function headersOf(path: string, { baseUrl, key }: StartedApp = service): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'X-Request-Id': 'ours' };
  const [response] = (await once(get(`${baseUrl}${path}`, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  const lines = response.rawHeaders.flatMap((name, index, all) => (index % 2 ? [] : [`${name}: ${all[index + 1]}`]));
  return lines
    .filter((line) => !/^(Date|Connection|Keep-Alive|Content-Length|Transfer-Encoding):/i.test(line))
    .toSorted();
}

function headersAfter(handler: Respond): Promise<string[]> {
  respond = handler;
  return headersOf('/headers');
}

/** Replaces `writeHead` as the packages `on-headers` and `compression` do. */
function wrapWriteHead(response: Response): void {
  const original = response.writeHead.bind(response) as (...args: unknown[]) => Response;
  response.writeHead = ((...args: unknown[]) => {
    response.setHeader('X-Late', '1');
    return original(...args);
  }) as Response['writeHead'];
}

describe('a response of a handler', () => {
  it.each<[string, Respond, string[]]>([
    ['nothing', (response) => response.end(), COMMON],
    ['a body', (response) => response.end('Ball'), COMMON],
    ['a status', (response) => response.writeHead(200).end(), COMMON],
    ['a reason', (response) => response.writeHead(200, 'Fine').end(), COMMON],
    ['a header', (response) => response.setHeader('X-Toy', 'Ball').end(), ['X-Toy: Ball', ...COMMON]],
    [
      'several values of a header',
      (response) => response.setHeader('Set-Cookie', ['a=1', 'b=2']).end(),
      ['Set-Cookie: a=1', 'Set-Cookie: b=2', ...COMMON],
    ],
    [
      'headers with the status, as an object',
      (response) => response.writeHead(200, { 'X-Toy': 'Ball' }).end(),
      ['X-Toy: Ball', ...COMMON],
    ],
    [
      'headers with the status, as an array',
      (response) => response.writeHead(200, ['X-Toy', 'Ball', 'X-Toy', 'Cube']).end(),
      ['X-Toy: Ball', 'X-Toy: Cube', ...COMMON],
    ],
    [
      'headers with status and reason',
      (response) => response.writeHead(200, 'Fine', ['X-Toy', 'Ball']).end(),
      ['X-Toy: Ball', ...COMMON],
    ],
    [
      'headers before the status and with it',
      (response) => response.setHeader('X-Toy', 'Ball').writeHead(200, ['X-Color', 'red', 'x-toy', 'Cube']).end(),
      ['X-Color: red', 'x-toy: Cube', ...COMMON],
    ],
    [
      'headers before the status, and with it and a reason',
      (response) =>
        response.setHeader('X-Toy', 'Ball').writeHead(200, 'Fine', ['X-Color', 'red', 'x-toy', 'Cube']).end(),
      ['X-Color: red', 'x-toy: Cube', ...COMMON],
    ],
    [
      'its own value of a fixed header',
      (response) => response.setHeader('cache-control', 'public').end(),
      ['X-Content-Type-Options: nosniff', 'X-Request-Id: ours', 'cache-control: public'],
    ],
    [
      'its own value of a fixed header with the status, as an object',
      (response) => response.writeHead(200, { 'cache-control': 'public' }).end(),
      ['X-Content-Type-Options: nosniff', 'X-Request-Id: ours', 'cache-control: public'],
    ],
    [
      'its own value of a fixed header with the status, as an array',
      (response) => response.writeHead(200, ['cache-control', 'public']).end(),
      ['X-Content-Type-Options: nosniff', 'X-Request-Id: ours', 'cache-control: public'],
    ],
    [
      'its own id, which the log does not know',
      (response) => response.setHeader('x-request-id', 'other').end(),
      ['X-Content-Type-Options: nosniff', 'Cache-Control: no-store', 'x-request-id: other'],
    ],
    [
      'a file name',
      (response) => response.setHeader('Content-Disposition', 'attachment; filename="ball.png"').end('Ball'),
      ['Content-Disposition: attachment; filename="ball.png"', ...COMMON],
    ],
    [
      'a header that it removed again',
      (response) => (response.setHeader('X-Toy', 'Ball'), response.removeHeader('x-toy'), response.end()),
      COMMON,
    ],
    [
      'a header at the last moment',
      (response) => (wrapWriteHead(response), response.writeHead(200, ['X-Toy', 'Ball']).end()),
      ['X-Late: 1', 'X-Toy: Ball', ...COMMON],
    ],
  ])('has each header exactly once after it sets %s', async (_, handler, expected) => {
    expect(await headersAfter(handler)).toEqual(expected.toSorted());
  });

  it('shows every value of the headers given with the status to a finish listener', async () => {
    let shown: unknown;
    await headersAfter((response) => {
      response.on('finish', () => (shown = ['x-toy', 'x-color', 'x-none'].map((name) => response.getHeader(name))));
      response.writeHead(200, ['X-Toy', 'Ball', 'X-Color', 'red', 'X-Toy', 'Cube']).end();
    });
    expect(shown).toEqual([['Ball', 'Cube'], 'red', undefined]);
  });
});

describe('a response of an operation', () => {
  /** The path of a deprecated operation, and its fixed headers. */
  const path = '/v1/pets/1';
  let fixed: string[];

  beforeAll(async () => {
    fixed = (await headersOf(path)).filter((line) => /^(Deprecation|Sunset|Link):/.test(line));
    expect(fixed).toHaveLength(3);
  });

  it.each<[string, string, Respond, string[]]>([
    ['nothing', '/v1/pets', () => {}, []],
    ['another content type', '/v1/pets', (response) => response.setHeader('content-type', 'text/plain'), []],
    ['a header at the last moment', '/v1/pets', wrapWriteHead, ['X-Late: 1']],
  ])('has each header exactly once when it sets %s', async (_, address, before, expected) => {
    beforeHandler = before;
    expect(await headersOf(address)).toEqual([...JSON_BODY, ...COMMON, ...expected].toSorted());
  });

  it.each<[string, Respond, string[]]>([
    ['nothing', () => {}, []],
    ['a link', (response) => response.setHeader('Link', '</help>; rel="help"'), ['Link: </help>; rel="help"']],
    ['a header at the last moment', wrapWriteHead, ['X-Late: 1']],
  ])('has each header exactly once when it is deprecated and sets %s', async (_, before, expected) => {
    beforeHandler = before;
    expect(await headersOf(path)).toEqual([...JSON_BODY, ...COMMON, ...fixed, ...expected].toSorted());
  });

  it('keeps a Sunset that the handler sets', async () => {
    beforeHandler = (response) => response.setHeader('sunset', 'soon');
    const others = fixed.filter((line) => !line.startsWith('Sunset'));
    expect(await headersOf(path)).toEqual([...JSON_BODY, ...COMMON, ...others, 'sunset: soon'].toSorted());
  });

  it.each<[string, Respond]>([
    ['no header', () => {}],
    ['a header', (response) => response.setHeader('X-Toy', 'Ball')],
    ['several values of a header', (response) => response.setHeader('X-Toy', ['Ball', 'Cube'])],
  ])('shows all its headers to a finish listener after it set %s', async (_, before) => {
    let shown: unknown;
    beforeHandler = (response) => {
      before(response);
      response.on('finish', () => (shown = { length: response.get('Content-Length'), all: response.getHeaderNames() }));
    };
    await headersOf('/v1/pets');
    expect(shown).toEqual({
      length: expect.anything(),
      all: expect.arrayContaining(['content-type', 'content-length', 'x-content-type-options', 'cache-control']),
    });
  });
});

describe('a response of a deprecated operation whose handler sets a link', () => {
  const DEPRECATION = [
    'Deprecation: @1795132800',
    'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
    'Link: </v1/open-toys>; rel="successor-version", </docs>; rel="deprecation"',
  ];
  let toys: StartedApp;

  beforeAll(async () => {
    toys = await startToys();
  });

  describe.each([
    ['no other header', '', []],
    ['another header', '?color=red', ['X-Color: red']],
  ])('and %s', (_, query, others) => {
    it.each(Object.keys(LINK_WAYS))('keeps the links of the deprecation: %s', async (way) => {
      const lines = await headersOf(`/v1/retired-toys/${encodeURIComponent(way)}${query}`, toys);
      const names = lines.map((line) => line.replace(/^link:/, 'Link:'));
      expect(names.toSorted()).toEqual([...COMMON, ...DEPRECATION, ...others, `Link: ${HELP}`].toSorted());
    });
  });

  it('drops the headers that a handler set for another response before it failed', async () => {
    const lines = await headersOf('/v1/retired-toys/none?color=red', toys);
    expect(lines.filter((line) => /^x-color/i.test(line))).toEqual([]);
    expect(lines).toEqual(expect.arrayContaining(COMMON));
  });
});
