import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type MessageEvent,
  Module,
  Param,
  Sse,
  UseFilters,
} from '@nestjs/common';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NEVER, type Observable } from 'rxjs';
import { message } from '../../support/http/raw/raw-requests.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, getOf, type Part, writeContract } from '../constructs/base-contract.js';

/** Milliseconds. */
const REQUEST_TIMEOUT = 300;

const REMEDY =
  'look for a promise that never settles, an Observable that never completes, or an exception filter that sends nothing, and give what the handler waits for a timeout.';

@Catch()
class SilentFilter implements ExceptionFilter {
  catch(): void {}
}

@Controller()
class WaitingController {
  @Get('promises/:thingId')
  promise(): Promise<object> {
    return new Promise(() => undefined);
  }

  @Get('observables/:thingId')
  observable(): Observable<object> {
    return NEVER;
  }

  @Get('filters/:thingId')
  @UseFilters(SilentFilter)
  filter(): never {
    throw new Error('Nobody answers this.');
  }

  @Get('things/:thingId')
  async found(@Param('thingId') name: string): Promise<object> {
    await delay(REQUEST_TIMEOUT / 2);
    return { name };
  }

  @Sse('events/:thingId')
  events(): Observable<MessageEvent> {
    return NEVER;
  }
}

@Module({ controllers: [WaitingController] })
class WaitingModule {}

function contractFile(): string {
  const contract = baseContract('3.0.3');
  const get = getOf(contract);
  const reading = (operationId: string, content?: object): Part => ({
    get: {
      ...get,
      operationId,
      ...(content && { responses: { ...get.responses, 200: { description: 'OK', content } } }),
    },
  });
  contract.paths = {
    '/things/{thingId}': reading('getThing'),
    '/promises/{thingId}': reading('getPromise'),
    '/observables/{thingId}': reading('getObservable'),
    '/filters/{thingId}': reading('getFilter'),
    '/events/{thingId}': reading('getEvents', { 'text/event-stream': { schema: { type: 'string' } } }),
  };
  return writeContract(contract);
}

let service: StartedApp;
type Warning = [members: { operationId: string; requestId: string; count: number }, ...rest: unknown[]];

const warnings: Warning[] = [];
const sockets: Socket[] = [];

/** Sends requests on one connection. */
async function send(...paths: string[]): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: service.port }).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  const requests = paths.map((path) =>
    message(
      [
        `GET /v1/${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${service.key}`,
        `X-Request-Id: ${path.replace('/', '-')}`,
      ],
      '',
    ),
  );
  socket.write(requests.join(''));
}

beforeAll(async () => {
  service = await startApp(
    { requestTimeout: REQUEST_TIMEOUT },
    { contractFile: contractFile(), features: [WaitingModule] },
  );
  service.app.useLogger({
    log: () => {},
    error: () => {},
    warn: (...parts: unknown[]) => warnings.push(parts as Warning),
  });
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

describe('a request that a feature leaves without a response', () => {
  it('is named in the log once, with its operation, and the number of those like it', async () => {
    // The second one of a connection only waits for the first.
    await send('promises/1', 'things/1');
    await send('observables/1');
    await send('filters/1');
    await send('events/1');
    await Promise.all([send('observables/1'), send('observables/1')]);
    const until = performance.now() + 6 * REQUEST_TIMEOUT;
    while (performance.now() < until) expect((await service.api.get('/v1/things/1')).status).toBe(200);

    // Some may have arrived after a check that others were seen by.
    const counts: Record<string, number> = {};
    for (const [{ operationId, requestId, count }, ...rest] of warnings) {
      expect(requestId).toBe(`${operationId.slice(3).toLowerCase()}s-1`);
      expect(rest).toEqual([`Requests have had no response for ${REQUEST_TIMEOUT} ms; ${REMEDY}`, 'EdgeServer']);
      counts[operationId] = (counts[operationId] ?? 0) + count;
    }
    expect(counts).toEqual({ getPromise: 1, getObservable: 3, getFilter: 1 });
  });
});
