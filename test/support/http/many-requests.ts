import { afterAll, beforeAll, expect } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from './answer.js';
import type { RequestOptions } from './client.js';
import { repetitions } from '../run/effort.js';
import { startApp, type StartedApp } from '../start-app.js';

/** Requests at once; each run of a property sends as many. */
const TOGETHER = 20;
/** Milliseconds that a property may take. */
export const TIME = 300_000;

/** A service of its own for a file of properties, which together must send at least so many requests in a full run. */
export class ManyRequests {
  service: StartedApp;
  #count = 0;

  constructor(least: number) {
    beforeAll(async () => {
      this.service = await startApp();
    });
    afterAll(() => {
      // A property that sends less than it seems to would go unnoticed otherwise.
      expect(this.#count).toBeGreaterThanOrEqual(repetitions(least));
    });
  }

  send(method: string, target: string, options: RequestOptions = {}): Promise<Answer> {
    this.#count += 1;
    return this.service.api.request(method, target, options);
  }

  /**
   * Checks what must hold for many requests, sent together, and that the service answers the next one; `runs` is the
   * number of times in a full run. A failure names the seed that brings it back.
   */
  holds<T>(runs: number, arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> {
    const together = fc.array(arbitrary, { minLength: TOGETHER, maxLength: TOGETHER });
    const property = fc.asyncProperty(together, async (values) => {
      await Promise.all(values.map(check));
      expect((await this.send('GET', '/v1/pets?limit=1')).status).toBe(200);
    });
    const limits = { interruptAfterTimeLimit: TIME * 0.9, markInterruptAsFailure: true };
    return fc.assert(property, { numRuns: repetitions(runs), ...limits });
  }
}
