import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RequestIds } from '../../src/platform/http/outcomes/request-id.js';
import { RequestLog } from '../../src/platform/http/outcomes/request-log.js';

let lines: unknown[][];

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  const add = (...line: unknown[]) => void lines.push(line);
  Logger.overrideLogger({ log: add, warn: add, error: add });
});
afterEach(() => {
  Logger.overrideLogger(false);
  jest.useRealTimers();
});

function fail(log: RequestLog, count: number): void {
  for (let id = 1; id <= count; id += 1)
    log.add({ requestId: String(id), status: 404, isDisconnected: false, bytes: 0 });
}

const request = (id: number) => [expect.objectContaining({ requestId: String(id), status: 404 }), 'Request'];
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(index + 1));
const others = (count: number) => [
  { count },
  'Further requests failed within a second; only 100 are logged.',
  'Request',
];

describe('failures with LOG_REQUESTS=errors', () => {
  it('are logged at most 100 times a second, and the log counts the others', () => {
    const log = new RequestLog(true, new RequestIds([], () => false));
    fail(log, 150);
    expect(lines).toEqual(requests(100));
    jest.advanceTimersByTime(999);
    fail(log, 1);
    expect(lines).toHaveLength(100);
    jest.advanceTimersByTime(1);
    expect(lines).toEqual([...requests(100), others(51)]);
    fail(log, 2);
    expect(lines).toEqual([...requests(100), others(51), ...requests(2)]);
    jest.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(103);
  });

  it('are counted at the latest when the service stops', () => {
    const log = new RequestLog(true, new RequestIds([], () => false));
    fail(log, 101);
    log.flush();
    expect(lines).toEqual([...requests(100), others(1)]);
  });
});

describe('failures with LOG_REQUESTS=all', () => {
  it('are all logged', () => {
    fail(new RequestLog(false, new RequestIds([], () => false)), 150);
    expect(lines).toEqual(requests(150));
  });
});
