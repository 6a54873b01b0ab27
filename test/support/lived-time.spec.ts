import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { livedTime } from './lived-time.js';

it('passes while this process waits', async () => {
  const [start, lived] = [performance.now(), livedTime()];
  while (livedTime() - lived < 100) await delay(5);
  expect(performance.now() - start).toBeGreaterThan(99);
});

it('passes while this process works', () => {
  const [start, lived] = [process.cpuUsage(), livedTime()];
  while (process.cpuUsage(start).user < 300_000);
  expect(livedTime() - lived).toBeGreaterThan(100);
});

it('hardly passes while this process is paused', () => {
  const lived = livedTime();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(livedTime() - lived).toBeLessThan(300);
});
