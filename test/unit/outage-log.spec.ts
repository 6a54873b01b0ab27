import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { OutageLog } from '../../src/platform/errors/outage-log.js';
import { reasonOf } from '../../src/platform/errors/reason-of.js';

const MESSAGE = 'The database is unavailable; try again.';
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

@Module({})
class EmptyModule {}

let lines: unknown[];
let outages: OutageLog;

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  const add =
    (level: string) =>
    (details: object, message: string): void =>
      void lines.push({ level, message, ...details });
  Logger.overrideLogger({ log: add('log'), warn: add('warn'), error: add('error') });
  outages = new OutageLog();
});

afterEach(() => {
  jest.useRealTimers();
  Logger.overrideLogger(false);
});

const STARTED = {
  level: 'error',
  message: `Requests fail: ${MESSAGE}`,
  reason: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:5432',
};

/** One failure in each of that many seconds. */
function failFor(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    outages.addFailure(MESSAGE, refused);
    jest.advanceTimersByTime(1_000);
  }
}

describe('an outage', () => {
  it('is logged once when it starts, with its reason and without a stack', () => {
    for (let failure = 0; failure < 1_000; failure += 1) outages.addFailure(MESSAGE, refused);
    expect(lines).toEqual([STARTED]);
  });

  it('is logged once when it ends, with its duration and the number of failures', () => {
    failFor(10);
    jest.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      STARTED,
      { level: 'warn', message: 'Requests have stopped failing.', seconds: 9, failures: 10 },
    ]);
  });

  it('is logged once a minute while it lasts', () => {
    failFor(150);
    expect(lines).toEqual([
      STARTED,
      { level: 'error', message: 'Requests still fail.', failures: 60 },
      { level: 'error', message: 'Requests still fail.', failures: 120 },
    ]);
  });

  it('is logged once for each thing that fails: an overload does not hide that the database is unavailable', () => {
    const overload = () => outages.addFailure('The service is overloaded; try again.', undefined);
    for (let turn = 0; turn < 3; turn += 1) {
      overload();
      failFor(1);
    }
    expect(lines).toEqual([
      { level: 'error', message: 'Requests fail: The service is overloaded; try again.', reason: undefined },
      STARTED,
    ]);
  });

  it('is logged at most ten times when each failure has another message', () => {
    for (let id = 0; id < 100; id += 1) outages.addFailure(`The warehouse of ${id} is closed.`, undefined);
    expect(lines).toHaveLength(10);
  });

  it('is logged anew when it returns after its end', () => {
    failFor(1);
    jest.advanceTimersByTime(10_000);
    failFor(1);
    expect(lines).toEqual([STARTED, expect.objectContaining({ failures: 1 }), STARTED]);
  });

  it('may have no reason', () => {
    outages.addFailure(MESSAGE, undefined);
    expect(lines).toEqual([{ ...STARTED, reason: undefined }]);
  });

  it('is not logged after the service has stopped', async () => {
    const providers = [{ provide: OutageLog, useValue: outages }];
    const service = await NestFactory.createApplicationContext({ module: EmptyModule, providers });
    lines = []; // Nest logs its start.
    failFor(3);
    await service.close();
    jest.advanceTimersByTime(10_000);
    expect(lines).toEqual([STARTED]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind', () => {
    failFor(3);
    jest.advanceTimersByTime(10_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the reason of an error', () => {
  it('is that of the error behind one for callers', () => {
    expect(reasonOf(new DatabaseUnavailable(refused))).toBe(STARTED.reason);
    expect(reasonOf(new DatabaseUnavailable())).toBe('SERVICE_UNAVAILABLE: The database is unavailable; try again.');
  });

  it('is that of a driver, not that of its cause', () => {
    // As pg-pool reports that it gave up a connection.
    const cause = new Error('Connection terminated unexpectedly');
    const timeout = new Error('Connection terminated due to connection timeout', { cause });
    expect(reasonOf(timeout)).toBe('Connection terminated due to connection timeout');
    expect(reasonOf(new DatabaseUnavailable(timeout))).toBe('Connection terminated due to connection timeout');
  });

  it('is its code when it has no message', () => {
    expect(reasonOf(Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
  });

  it.each([undefined, null, 'There is no broker.', 7])('is what was thrown, if that is no error: %s', (thrown) => {
    expect(reasonOf(thrown)).toBe(String(thrown));
  });
});
