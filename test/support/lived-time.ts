import { afterAll } from '@jest/globals';

/** Milliseconds between two looks at the clock. */
const INTERVAL = 10;
/** Milliseconds that count of a pause at most. */
const PAUSE = 2 * INTERVAL;

let lived = 0;
let seenAt = performance.now();
let usage = process.cpuUsage();

function look(): void {
  const now = performance.now();
  const { user, system } = process.cpuUsage(usage);
  usage = process.cpuUsage();
  lived += Math.min(now - seenAt, Math.max(PAUSE, (user + system) / 1000));
  seenAt = now;
}

const timer = setInterval(look, INTERVAL).unref();
afterAll(() => clearInterval(timer));

/**
 * Like `performance.now()`, but hardly moves while the machine pauses this process. For upper bounds of what a service in
 * this process does, which is paused as well.
 */
export function livedTime(): number {
  look();
  return lived;
}
