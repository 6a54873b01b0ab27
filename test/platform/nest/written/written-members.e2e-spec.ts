import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Module,
  Param,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { createGzip, gzipSync } from 'node:zlib';
import { NEVER, type Observable } from 'rxjs';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, getOf, json, writeContract } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';

class Missing extends Error {}

/** What the contract declares of it comes in another order. */
const GIVEN = {
  passwordHash: 'x',
  token: 'SECRET',
  home: { city: 'Rome', alarm: 'off' },
  pets: [{ name: 'Rex', chip: 7 }],
  id: 2n ** 53n + 1n,
};
const TEXT = JSON.stringify(GIVEN, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)).replace(
  String(2 ** 53),
  String(GIVEN.id),
);
const DECLARED = `{"id":${GIVEN.id},"home":{"city":"Rome"},"pets":[{"name":"Rex"}]}`;

/** Has nothing undeclared, in a form of its own. */
const PLAIN = '{ "pets": [], "home": {"city": "\\u0052ome"}, "id": 1 }';

const asJson = (response: Response) => response.status(200).type('json');

/** The text in each way in which a response can be written. */
const WAYS: Record<string, (response: Response, text: string) => unknown> = {
  send: (response, text) => asJson(response).send(text),
  end: (response, text) => asJson(response).end(text, 'utf8'),
  'declared length': (response, text) =>
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text),
  parts: (response, text) => {
    asJson(response).write(text.slice(0, 9));
    response.write(Buffer.from(text.slice(9)));
    response.end();
  },
  gzip: (response, text) => {
    const body = gzipSync(text);
    asJson(response)
      .set({ 'Content-Encoding': 'gzip', 'Content-Length': String(body.length) })
      .end(body);
  },
  'parts of gzip': (response, text) => {
    const stream = createGzip();
    asJson(response).set('Content-Encoding', 'gzip');
    stream.pipe(response);
    stream.end(text);
  },
};

function write({ query }: Request, response: Response): void {
  WAYS[query.way as string]!(response, query.plain === undefined ? TEXT : PLAIN);
}

const writesIn = (context: ExecutionContext, place: string) => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  if (request.headers['x-place'] !== place) return false;
  write(request, http.getResponse());
  return true;
};

@Catch(Missing)
class MissingFilter implements ExceptionFilter<Missing> {
  catch(_: Missing, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (request.headers['x-place'] === 'filter') write(request, response);
    else response.status(404).json({ code: 'MISSING', message: 'It is missing.', status: 404, stack: 'at filter.ts' });
  }
}

const guard = {
  // Never settles: the request has its response.
  canActivate: (context: ExecutionContext) => (writesIn(context, 'guard') ? new Promise<boolean>(() => {}) : true),
};

const interceptor = {
  intercept: (context: ExecutionContext, next: CallHandler): Observable<unknown> =>
    writesIn(context, 'interceptor') ? NEVER : next.handle(),
};

@Controller('things')
@UseFilters(MissingFilter)
class ThingsController {
  @Get(':thingId')
  @UseGuards(guard)
  @UseInterceptors(interceptor)
  get(@Param('thingId') thingId: string): object {
    if (thingId !== 'returned') throw new Missing();
    return { id: 1, home: { city: 'Rome' }, pets: [] };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** As a log or an envelope does it. */
function addToJson(response: Response): void {
  const original = response.json.bind(response);
  response.json = (body: object) => original({ ...body, internal: 'yes' });
}

const object = (properties: object, isClosed: boolean) => ({
  type: 'object',
  properties,
  ...(isClosed ? { additionalProperties: false } : {}),
});

async function start(isClosed: boolean): Promise<StartedApp> {
  const contract = baseContract('3.0.3');
  delete contract.paths['/things'];
  const text = { type: 'string' };
  const user = object(
    {
      id: { type: 'integer', format: 'int64' },
      token: { type: 'string', writeOnly: true },
      home: object({ city: text }, isClosed),
      pets: { type: 'array', items: object({ name: text }, isClosed) },
    },
    isClosed,
  );
  getOf(contract).responses[200].content = json(user);
  if (isClosed) contract.components.schemas.Error.additionalProperties = false;
  const file = writeContract(contract);
  return startApp(
    {},
    {
      contractFile: file,
      features: [ThingsModule],
      prepare: (app) =>
        void app.use((request: Request, response: Response, next: () => void) => {
          if (request.headers['x-place'] === 'json') addToJson(response);
          if (request.headers['x-place'] === 'middleware') write(request, response);
          else next();
        }),
    },
  );
}

describe.each([
  ['has declared members only', false],
  ['has declared members only beside additionalProperties: false', true],
])('a response that something other than a handler writes %s', (_, isClosed) => {
  let started: StartedApp;
  let errors: string[];

  beforeAll(async () => {
    started = await start(isClosed);
  });

  beforeEach(() => {
    errors = collectErrors(started.app);
  });

  afterEach(async () => {
    // The connection is still in order.
    expect(await started.api.get('/v1/nothing')).toMatchObject({ status: 404 });
    expect(errors).toEqual([]);
  });

  const fetchThing = (way: string, place: string, method = 'GET', plain = '') =>
    fetch(`${started.baseUrl}/v1/things/${encodeURIComponent(way)}?way=${encodeURIComponent(way)}${plain}`, {
      method,
      headers: { authorization: `Bearer ${started.key}`, 'x-place': place },
    });

  it.each(
    ['filter', 'guard', 'interceptor', 'middleware'].flatMap((place) => Object.keys(WAYS).map((way) => [place, way])),
  )('from a %s: %s', async (place, way) => {
    const response = await fetchThing(way, place);
    expect([response.status, await response.text()]).toEqual([200, DECLARED]);
  });

  it.each(Object.keys(WAYS))('and is sent unchanged when it has no others: %s', async (way) => {
    const response = await fetchThing(way, 'filter', 'GET', '&plain');
    expect([response.status, await response.text()]).toEqual([200, PLAIN]);
    expect(response.headers.get('content-encoding')).toBe(way.endsWith('gzip') ? 'gzip' : null);
  });

  it('when it is an error', async () => {
    const response = await started.api.get('/v1/things/none');
    expect(response).toMatchObject({ status: 404, json: { code: 'MISSING', message: 'It is missing.', status: 404 } });
    expect(response.json).not.toHaveProperty('stack');
  });

  it('when middleware adds to what the handler returned', async () => {
    const response = await fetchThing('returned', 'json');
    expect([response.status, await response.json()]).toEqual([200, { id: 1, home: { city: 'Rome' }, pets: [] }]);
  });

  it('and no Content-Length in the response to a HEAD, which would be that of another body', async () => {
    const response = await fetchThing('send', 'filter', 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
  });
});
