import { expect, it } from '@jest/globals';
import { Controller, type MessageEvent, Module, Param, Res, Sse } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { Observable } from 'rxjs';
import { startApp } from '../../../support/start-app.js';
import { baseContract, type Part, writeContract } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';
import { closing } from './opened.js';

const journal = { unsubscribed: 0 };

@Controller('things')
class EventsController {
  @Sse(':thingId')
  get(@Param('thingId') count: string, @Res({ passthrough: true }) response: Response): Observable<MessageEvent> {
    if (count !== 'none') response.setHeader('X-Count', count);
    return new Observable((events) => {
      events.next({ data: 'first' });
      if (count === '7') events.complete();
      return () => void (journal.unsubscribed += 1);
    });
  }
}

@Module({ controllers: [EventsController] })
class EventsModule {}

async function start() {
  const contract: Part = baseContract('3.0.3');
  const { get } = contract.paths['/things/{thingId}'];
  get.parameters[0].schema = { type: 'string' };
  get.responses[200] = {
    description: 'Events.',
    headers: { 'X-Count': { required: true, schema: { type: 'integer' } } },
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  };
  contract.paths = { '/things/{thingId}': { get } };
  const started = await closing(startApp({}, { contractFile: writeContract(contract), features: [EventsModule] }));
  const headers = { authorization: `Bearer ${started.key}` };
  const ask = (count: string) => fetch(`${started.baseUrl}/v1/things/${count}`, { headers });
  return { ask, errors: collectErrors(started.app) };
}

it('a stream of events has the headers that its handler sets', async () => {
  const { ask } = await start();
  const response = await ask('7');
  expect([response.status, response.headers.get('x-count')]).toEqual([200, '7']);
  expect(await response.text()).toContain('data: first');
});

it.each([
  ['of another type', 'many', 'the header X-Count must be an integer'],
  ['missing', 'none', 'the header X-Count is missing'],
])('a stream of events is a 500, and ends, when a header is %s', async (_, count, reason) => {
  const { ask, errors } = await start();
  const { unsubscribed } = journal;
  const response = await ask(count);
  expect([response.status, response.headers.get('connection')]).toEqual([500, 'close']);
  // What Nest sets for events.
  const ofEvents = ['expires', 'pragma', 'x-accel-buffering'];
  expect(ofEvents.filter((name) => response.headers.has(name))).toEqual([]);
  expect(await response.json()).toEqual({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'The service failed; the request was not at fault.',
    status: 500,
  });
  expect(errors.join()).toContain(reason);
  while (journal.unsubscribed === unsubscribed) await delay(10);
});
