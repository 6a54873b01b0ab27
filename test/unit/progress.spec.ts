import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from '../../src/platform/copy/progress.js';

/** Collects the output, with a fake clock. */
function screen(isTTY: boolean, columns = 120) {
  jest.useFakeTimers({ now: 0 });
  const shown: string[] = [];
  const write = (text: string): boolean => shown.push(text) > 0;
  return { shown, stream: { write, isTTY, columns } as unknown as NodeJS.WriteStream };
}

afterEach(() => void jest.useRealTimers());

describe('Progress', () => {
  it('shows one line on a terminal, with a bar, the speed and the remaining time', () => {
    const { shown, stream } = screen(true);
    const progress = new Progress('copying pets', 4_000_000, 0, 'rows', stream);
    jest.advanceTimersByTime(10_000);
    progress.step(1_000_000);
    progress.step(1_000_001);
    jest.advanceTimersByTime(30_000);
    progress.end(4_000_000);
    expect(shown).toEqual([
      '\r\x1b[Kcopying pets  ██████··················  25 %  1,000,000 of 4,000,000  100,000 rows/s  30 s left',
      '\r\x1b[Kcopying pets  ████████████████████████  100 %  4,000,000 of 4,000,000  100,000 rows/s  40 s\n',
    ]);
  });

  it('fits into the width of the terminal', () => {
    const { shown, stream } = screen(true, 20);
    const progress = new Progress('copying pets', 10, 0, 'rows', stream);
    jest.advanceTimersByTime(1000);
    progress.step(5);
    expect(shown).toEqual(['\r\x1b[Kcopying pets  █████']);
  });

  it('writes a plain line every five seconds to a log', () => {
    const { shown, stream } = screen(false);
    const progress = new Progress('copying pets', 10_000, 0, 'rows', stream);
    for (let done = 1000; done <= 9000; done += 1000) {
      jest.advanceTimersByTime(1000);
      progress.step(done);
    }
    jest.advanceTimersByTime(1000);
    progress.end(10_000);
    expect(shown).toEqual([
      'copying pets  50 %  5,000 of 10,000  1,000 rows/s  5 s left\n',
      'copying pets  100 %  10,000 of 10,000  1,000 rows/s  10 s\n',
    ]);
  });

  it('shows only the speed of this run when an earlier one was interrupted', () => {
    const { shown, stream } = screen(false);
    const progress = new Progress('copying pets', 1000, 900, 'rows', stream);
    jest.advanceTimersByTime(5000);
    progress.step(950);
    expect(shown).toEqual(['copying pets  95 %  950 of 1,000  10 rows/s  5 s left\n']);
  });

  it('counts units other than rows', () => {
    const { shown, stream } = screen(false);
    const progress = new Progress('copying', 1000, 0, 'pages', stream);
    jest.advanceTimersByTime(5000);
    progress.step(500);
    expect(shown).toEqual(['copying  50 %  500 of 1,000  100 pages/s  5 s left\n']);
  });

  it.each([
    [true, ['\r\x1b[K']],
    [false, []],
  ])('leaves nothing on a terminal when it is cleared, and nothing in a log: %j', (isTTY, expected) => {
    const { shown, stream } = screen(isTTY);
    new Progress('copying', 1000, 0, 'pages', stream).clear();
    expect(shown).toEqual(expected);
  });
});
