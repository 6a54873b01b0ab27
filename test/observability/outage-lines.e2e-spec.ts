import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { Overloaded } from '../../src/platform/errors/overloaded.js';
import { ALIVE, COUNT, OVERLOADED } from '../platform/load/busy-service.js';
import { outcome } from '../properties/outcome.js';
import { listRequest } from '../support/http/raw/raw-requests.js';
import { startApp } from '../support/start-app.js';

/** Milliseconds of work for each request. */
const WORK = 30;
const END = 'Requests have stopped failing.';

it('an overload has one line when it starts and one when it ends, whether requests are refused at once or by a handler', async () => {
  let handled = 0;
  const service = await startApp(
    {},
    {
      prepare: (app) =>
        void app.use('/v1', (_: Request, __: Response, next: NextFunction) => {
          const end = performance.now() + WORK;
          while (performance.now() < end);
          handled += 1;
          next(new Overloaded());
        }),
    },
  );
  const lines: object[] = [];
  const add =
    (level: string) =>
    (details: object, message: string, context: string): void => {
      if (context === 'Outage') lines.push({ level, message, ...details });
    };
  Logger.overrideLogger({ log: add('log'), warn: add('warn'), error: add('error') });
  try {
    const connections = await Promise.all(Array.from({ length: COUNT }, () => service.connect()));
    // The service reads a connection that it has not accepted yet in another turn.
    await Promise.all(connections.map((connection) => connection.send(ALIVE).response()));
    const responses = await Promise.all(
      connections.map((connection) => connection.send(listRequest(service.key)).response()),
    );
    for (const response of responses) expect(outcome(response)).toEqual(OVERLOADED);
    expect([0, COUNT]).not.toContain(handled);
    while (!JSON.stringify(lines).includes(END)) await delay(100);
  } finally {
    Logger.overrideLogger(false);
  }
  expect(lines).toEqual([
    { level: 'error', message: 'Requests fail: The service is overloaded; try again.', reason: undefined },
    { level: 'warn', message: END, seconds: expect.any(Number), failures: COUNT },
  ]);
});
