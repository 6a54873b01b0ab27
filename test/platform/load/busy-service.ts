import { expect } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../../../src/config.js';
import { type Outcome, outcome } from '../../properties/outcome.js';
import { message } from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** Milliseconds of work for each request. */
const WORK = 30;
/** More requests than the service can serve before the last of them has waited too long. */
export const COUNT = 80;

export const ALIVE = message(['GET /live HTTP/1.1', 'Host: localhost']);
export const OVERLOADED: Outcome = {
  status: 503,
  body: { code: 'SERVICE_UNAVAILABLE', message: 'The service is overloaded; try again.', status: 503 },
};

/** A service that can do nothing else while it works for a request, as for a large list. */
export function startBusy(overrides: Partial<Config> = {}): Promise<StartedApp> {
  return startApp(overrides, {
    prepare: (app) =>
      void app.use('/v1', (_: Request, __: Response, next: NextFunction) => {
        const end = performance.now() + WORK;
        while (performance.now() < end);
        next();
      }),
  });
}

/** Sends the same request on many connections: the service serves what it can, and refuses what would wait too long. */
export async function expectShedding(request: (key: string) => string, expected: Outcome): Promise<void> {
  const service = await startBusy();
  const connections = await Promise.all(Array.from({ length: COUNT }, () => service.connect()));
  const probe = await service.connect();
  // The service reads a connection that it has not accepted yet in another turn.
  await Promise.all([probe, ...connections].map((connection) => connection.send(ALIVE).response()));
  for (const connection of connections) connection.send(request(service.key));
  let answered = 0;
  const alive = probe
    .send(ALIVE)
    .response()
    .then((response) => ({ response, answeredBefore: answered }));
  const responses = await Promise.all(
    connections.map(async (connection) => {
      const response = await connection.response();
      answered += 1;
      return response;
    }),
  );
  const refused = responses.filter(({ status }) => status === 503);
  const served = responses.filter(({ status }) => status !== 503);
  const { response: probed, answeredBefore } = await alive;
  expect(outcome(probed)).toEqual({ status: 200, body: { status: 'live' } });
  expect(answeredBefore).toBeLessThan(COUNT / 2);
  expect([served.length, refused.length]).not.toContain(0);
  for (const response of served) expect(outcome(response)).toEqual(expected);
  for (const response of refused) {
    expect(outcome(response)).toEqual(OVERLOADED);
    expect(response.header('retry-after')).toBe('1');
  }
  // Afterwards, the same connection is served.
  expect(outcome(await connections[0]!.send(request(service.key)).response())).toEqual(expected);
}
