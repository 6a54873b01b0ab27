import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { startDeadline } from '../../../src/platform/database/transactions/deadline.js';

/** Resolves when the last of the deadlines has expired; each adds its name to the log. */
async function expireAll(log: string[], ...deadlines: readonly (readonly [string, number])[]): Promise<void> {
  await Promise.all(
    deadlines.map(
      ([name, milliseconds]) =>
        new Promise<void>((resolve) => {
          startDeadline(milliseconds, () => {
            log.push(name);
            resolve();
          });
        }),
    ),
  );
}

describe('deadlines', () => {
  it('expire in time although later ones started before', async () => {
    const meet = startDeadline(10_000, () => undefined);
    const outcome = await Promise.race([expireAll([], ['early', 10]), delay(5000, 'waits for the later one')]);
    meet();
    expect(outcome).toBeUndefined();
  });

  it('never expire before their time', async () => {
    const start = performance.now();
    await expireAll([], ['early', 5], ['late', 40]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(40);
  });

  it('do not expire once they are met, and the others still do', async () => {
    const log: string[] = [];
    const meet = startDeadline(10, () => log.push('met'));
    const others = expireAll(log, ['other', 20]);
    meet();
    await others;
    expect(log).toEqual(['other']);
  });

  it('expire although the timer has fired for earlier ones, or for none', async () => {
    const log: string[] = [];
    startDeadline(10, () => log.push('met'))();
    await delay(30);
    await expireAll(log, ['later', 10]);
    expect(log).toEqual(['later']);
  });
});
