import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { whileLocked } from '../../support/outages.js';
import { creation, goodCreation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import type { RawConnection } from '../../support/http/raw/raw-socket.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** Enough requests to take longer than the service holds a response. */
const MANY = 150;
const ALIVE = message(['GET /live HTTP/1.1', 'Host: localhost']);
const EMPTY = { status: 200, json: [] };
/** After a pause of half a second, as on a busy machine, the service refuses what has waited. */
const REFUSED = {
  status: 503,
  json: { code: 'SERVICE_UNAVAILABLE', message: 'The service is overloaded; try again.', status: 503 },
};

const numberStore = new AsyncLocalStorage<string>();
const seen: string[] = [];

beforeEach(() => void seen.splice(0));

afterEach(() => void jest.restoreAllMocks());

/** Sends a request on each of several connections in one turn of the event loop, so all arrive in one turn. */
async function sendTogether(started: StartedApp, count: number, key = started.key): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => started.connect()));
  // The service reads a connection that it has not accepted yet in another turn.
  await Promise.all(connections.map((connection) => connection.send(ALIVE).response()));
  return connections.map((connection, index) => connection.send(listRequest(key, `X-Number: ${index}`)));
}

async function outcomes(connections: readonly RawConnection[]) {
  const responses = await Promise.all(connections.map((connection) => connection.response()));
  return responses.map(({ status, json }) => ({ status, json }));
}

/** On SQLite only: PostgreSQL returns its results in later turns, so that its responses are not held. */
function startWith(middleware: (request: Request, response: Response, next: NextFunction) => void) {
  return startApp({}, { engine: 'sqlite', prepare: (app) => void app.use('/v1', middleware) });
}

describe('requests that arrive together', () => {
  it('all get a response', async () => {
    const connections = await sendTogether(await startApp(), MANY);
    for (const outcome of await outcomes(connections)) expect([EMPTY, REFUSED]).toContainEqual(outcome);
  });

  it('get a response even if other clients disconnect', async () => {
    const connections = await sendTogether(await startApp(), MANY);
    for (const [index, connection] of connections.entries()) if (index % 2 === 1) connection.close();
    const rest = connections.filter((_, index) => index % 2 === 0);
    for (const outcome of await outcomes(rest)) expect([EMPTY, REFUSED]).toContainEqual(outcome);
  });

  it('get a response before their connection is destroyed', async () => {
    const started = await startWith((_, response, next) => {
      response.on('prefinish', () => response.socket!.destroy());
      next();
    });
    const connections = await sendTogether(started, 10);
    expect(await outcomes(connections)).toEqual(connections.map(() => EMPTY));
    expect(await Promise.all(connections.map((connection) => connection.isClosed()))).not.toContain(false);
  });

  it('get a response even if a listener of the first response destroys the other connections', async () => {
    // Stop the clock: the service would release the first response after a millisecond.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const sockets = new Set<Socket>();
    const started = await startWith((request, response, next) => {
      sockets.add(request.socket);
      response.on('finish', () => sockets.forEach((socket) => socket.destroy()));
      next();
    });
    const connections = await sendTogether(started, 3, 'wrong');
    expect((await outcomes(connections)).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('keep their asynchronous context for listeners of the response', async () => {
    const started = await startWith((request, response, next) => {
      response.on('finish', () => seen.push(numberStore.getStore()!));
      numberStore.run(request.get('X-Number')!, next);
    });
    const connections = await sendTogether(started, 10);
    await outcomes(connections);
    expect(seen.toSorted()).toEqual(connections.map((_, index) => String(index)));
  });

  it.each([
    ['a list', undefined],
    ['a rejection', 'wrong'],
  ])('get the first response before the last request is read: %s', async (_, key) => {
    const started = await startWith((request, response, next) => {
      const number = request.get('X-Number');
      seen.push(`request ${number}`);
      response.on('finish', () => seen.push(`response ${number}`));
      const end = performance.now() + 5;
      while (performance.now() < end);
      next();
    });
    await Promise.all((await sendTogether(started, 10, key)).map((connection) => connection.response()));
    expect(seen.indexOf('response 0')).toBeLessThan(seen.indexOf('request 9'));
  });

  it('get a response before the last body that arrives with them is read', async () => {
    const started = await startWith((request, response, next) => {
      if (request.method === 'POST') request.on('end', () => seen.push('body'));
      else response.on('finish', () => seen.push('response'));
      next();
    });
    const body = JSON.stringify({ name: 'x'.repeat(50_000), categoryId: 7 });
    const creating = await Promise.all(Array.from({ length: 30 }, () => started.connect()));
    const listing = await started.connect();
    for (const connection of creating) connection.send(creation(started.key, [`Content-Length: ${body.length}`], ''));
    await listing.send(ALIVE).response();
    listing.send(listRequest('wrong'));
    for (const connection of creating) connection.send(body);
    await Promise.all([listing, ...creating].map((connection) => connection.response()));
    expect(seen.indexOf('response')).toBeLessThan(seen.lastIndexOf('body'));
  });

  it('do not wait for the commit of a creation that arrives before them', async () => {
    const times: Record<string, number> = {};
    const started = await startWith(({ method }, response, next) => {
      times[`${method} begins`] = performance.now();
      response.on('finish', () => (times[`${method} ends`] = performance.now()));
      next();
    });
    const [head, body] = goodCreation(started.key).split('\r\n\r\n') as [string, string];
    const creating = await started.connect();
    const listing = await started.connect();
    await listing.send(ALIVE).response();
    creating.send(`${head}\r\n\r\n`);
    while (!times['POST begins']) await delay(1);
    await whileLocked(started.databaseUrl, () => {
      creating.send(body);
      listing.send(listRequest('wrong'));
      return Promise.all([creating.response(), listing.response()]);
    });
    // A commit waits for a lock for at least half a second.
    expect(times['POST ends']! - times['GET ends']!).toBeGreaterThan(400);
  });
});
