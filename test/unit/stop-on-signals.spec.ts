import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { stopOnSignals } from '../../src/platform/http/server/stop-on-signals.js';
import { STOP_SIGNALS } from '../../src/platform/process/run-command.js';

const TIMEOUTS = {
  shutdownGrace: 1000,
  shutdownTimeout: 2000,
  headersTimeout: 0,
  requestTimeout: 0,
  keepAliveTimeout: 0,
};

const drain = jest.fn<() => void>();
const abort = jest.fn<(reason: string) => void>();
const exit = jest.spyOn(process, 'exit');

beforeEach(() => {
  jest.useFakeTimers();
  exit.mockReset().mockReturnValue(undefined as never);
  drain.mockReset();
  abort.mockReset();
  stopOnSignals(TIMEOUTS, { drain, abort });
});

afterEach(() => {
  jest.useRealTimers();
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal);
});

it('gives a service half a second after its deadline to close, then ends it with exit code 1', () => {
  process.emit('SIGTERM');
  jest.advanceTimersByTime(3499);
  expect(exit).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[1]]);
  expect(abort).not.toHaveBeenCalled();
});

it('gives a service half a second to close after a second signal, which aborts its requests', () => {
  process.emit('SIGTERM');
  jest.advanceTimersByTime(101);
  process.emit('SIGINT');
  expect(abort.mock.calls).toEqual([['a second signal']]);
  jest.advanceTimersByTime(499);
  expect(exit).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[1]]);
});

it('takes signals within a tenth of a second for one', () => {
  process.emit('SIGINT');
  jest.advanceTimersByTime(100);
  process.emit('SIGINT');
  jest.advanceTimersByTime(3399);
  expect(abort).not.toHaveBeenCalled();
  expect(exit).not.toHaveBeenCalled();
});
