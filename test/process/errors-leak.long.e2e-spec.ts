import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Catch, type ExceptionFilter } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { startToysProcess } from './errors-leak/toys-process.js';
import { SECRET } from '../platform/nest/toys/enhancers/failing-toys.controller.js';
import { collectErrors } from '../platform/nest/toys/log.js';
import { startToys } from '../platform/nest/toys/start-toys.js';
import { TOYS_CONTRACT } from '../platform/nest/toys/toys-contract.js';
import { FAILED, INVALID_KEY, outcome } from '../properties/outcome.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { Client } from '../support/http/client.js';
import { contractCheck } from '../support/contract/contract-check.js';
import type { StartedApp, StartOptions } from '../support/start-app.js';

/** Milliseconds for a start from source on a busy machine. */
const TIME = 240_000;
const BALL = { status: 200, body: { name: 'Ball' } };

/** Failures of parts of the service. The secret is in each error and must not reach a response or the log. */
const FAILURES = [
  'error',
  'rejection',
  'sql',
  'cause',
  'http-error',
  'exception of status 500',
  'string',
  'object',
  'null',
  'undefined',
  'rejection with undefined',
  'guard',
  'pipe',
  'interceptor before',
  'interceptor after',
  'after a part of JSON',
  'filter',
  'unreadable response',
  'error with the request',
];

@Catch()
class FailingFilter implements ExceptionFilter {
  catch(): void {
    throw new Error(SECRET);
  }
}

function passOn(_: Request, __: Response, next: NextFunction): void {
  next();
}

const target = (failure: string) => `/v1/failing-toys/${encodeURIComponent(failure)}`;

describe('an internal error', () => {
  let started: StartedApp;
  let errors: string[];

  beforeAll(async () => {
    started = await startToys();
  });

  beforeEach(() => {
    errors = collectErrors(started.app);
  });

  it.each(FAILURES)(
    'returns one fixed message, is logged, and does not affect the next request: %s',
    async (failure) => {
      const { api } = started;
      const response = await api.get(target(failure));
      expect(outcome(response)).toEqual(FAILED);
      expect(response.rawHeaders.join()).not.toContain(SECRET);
      expect(errors).toHaveLength(1);
      expect(outcome(await api.get(target('none')))).toEqual(BALL);
    },
  );

  it('keeps the connection open for the next request', async () => {
    const connection = await started.connect();
    const request = (failure: string) =>
      `GET ${target(failure)} HTTP/1.1\r\nHost: toys.test\r\nAuthorization: Bearer ${started.key}\r\n\r\n`;
    connection.send(request('error'));
    expect(outcome(await connection.response())).toEqual(FAILED);
    connection.send(request('none'));
    expect(outcome(await connection.response())).toEqual(BALL);
  });

  it('does not change a response that is already complete', async () => {
    const { api } = started;
    expect(outcome(await api.get(target('after the response')))).toEqual(BALL);
    expect(errors).toHaveLength(1);
    expect(outcome(await api.get(target('none')))).toEqual(BALL);
  });
});

describe('a global exception filter that fails', () => {
  it.each<[string, StartOptions['prepare']]>([
    ['by itself', (app) => void app.useGlobalFilters(new FailingFilter())],
    ['behind a middleware', (app) => void app.useGlobalFilters(new FailingFilter()).use(passOn)],
  ])(
    'returns the fixed message, and the service keeps running: %s',
    async (_, prepare) => {
      const { app, api } = await startToys({}, { prepare });
      const errors = collectErrors(app);
      expect(outcome(await api.get(target('error')))).toEqual(FAILED);
      expect(errors).not.toEqual([]);
      expect(outcome(await api.get(target('none')))).toEqual(BALL);
    },
    60_000,
  );
});

describe('the log of a process', () => {
  const KEY = 'key-that-no-log-may-have';
  const WRONG_KEY = 'wrong-key-that-no-log-may-have';

  let code: number | null;
  let lines: string[];
  let responses: HttpResponse[];

  beforeAll(async () => {
    const toys = await startToysProcess({ API_KEYS: KEY, LOG_LEVEL: 'trace' });
    const api = new Client({ port: toys.port, key: KEY, check: contractCheck({ contractFile: TOYS_CONTRACT }) });
    responses = [];
    for (const failure of FAILURES) responses.push(await api.get(target(failure)));
    responses.push(await api.get(target('error'), { key: WRONG_KEY }), await api.get(target('none')));
    api.close();
    const stopped = await toys.stop();
    code = stopped.code;
    lines = stopped.log.trimEnd().split('\n');
  }, TIME);

  it('is the only place with details: callers get the fixed message', () => {
    expect(responses.map(outcome)).toEqual([...FAILURES.map(() => FAILED), INVALID_KEY, BALL]);
  });

  it('has an entry for each failure and contains only JSON lines', () => {
    const entries = lines.map((line) => JSON.parse(line) as { level: number });
    expect(entries.filter(({ level }) => level >= 50)).toHaveLength(FAILURES.length);
    expect(code).toBe(0);
  });

  it('contains the source location of a failure', () => {
    expect(lines.join('\n')).toMatch(/failing-toys\.controller\.ts:\d+/);
  });

  it('never contains a key', () => {
    expect(lines.filter((line) => line.includes(KEY) || line.includes(WRONG_KEY))).toEqual([]);
  });
});
