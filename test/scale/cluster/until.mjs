import { setTimeout as delay } from 'node:timers/promises';

/** Polls a condition; throws after `within` milliseconds. */
export async function until(event, isReached, { within = 60_000, every = 200 } = {}) {
  const end = performance.now() + within;
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`waited ${within / 1000} s for ${event}`);
    await delay(every);
  }
}
