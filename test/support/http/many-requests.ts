import { afterAll, beforeAll, expect } from '@jest/globals';
import fc from 'fast-check';
import type { HttpResponse } from './http-response.js';
import type { RequestOptions } from './client.js';
import { repetitions } from '../run/effort.js';
import { untilServed } from './until-served.js';
import { startApp, type StartedApp } from '../start-app.js';

/** The number of concurrent requests in each run of a property. */
const BATCH_SIZE = 20;
/** The timeout of a property in milliseconds. */
export const TIME = 300_000;

/** A service for the properties of one file, which must send at least `minimum` requests in a full run. */
export class ManyRequests {
  service: StartedApp;
  #count = 0;

  constructor(minimum: number) {
    beforeAll(async () => {
      this.service = await startApp();
    });
    afterAll(() => {
      // Notice properties that send fewer requests than intended.
      expect(this.#count).toBeGreaterThanOrEqual(repetitions(minimum));
    });
  }

  send(method: string, target: string, options: RequestOptions = {}): Promise<HttpResponse> {
    this.#count += 1;
    // Requests of a batch wait for each other.
    return untilServed(() => this.service.api.request(method, target, options));
  }

  /**
   * Checks a property of many concurrent requests, and that the service still responds afterwards; `runs` is the number
   * of repetitions in a full run. A failure reports the seed that reproduces it.
   */
  check<T>(runs: number, arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<void>): Promise<void> {
    const batch = fc.array(arbitrary, { minLength: BATCH_SIZE, maxLength: BATCH_SIZE });
    const repeated = fc.asyncProperty(batch, async (values) => {
      await Promise.all(values.map(property));
      expect((await this.send('GET', '/v1/pets?limit=1')).status).toBe(200);
    });
    const limits = { interruptAfterTimeLimit: TIME * 0.9, markInterruptAsFailure: true };
    return fc.assert(repeated, { numRuns: repetitions(runs), ...limits });
  }
}
