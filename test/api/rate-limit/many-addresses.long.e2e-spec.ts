import { expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { startApp } from '../../support/start-app.js';

/** Addresses that have a bucket of their own. */
const KNOWN = 10_000;
/** Requests at a time. */
const BATCH = 50;
/** Milliseconds. */
const TIME = 120_000;

it(
  'remembers 10,000 addresses; further ones share a limit, and valid keys are served from everywhere',
  async () => {
    const { rateLimit, trustedProxies } = readConfig({ RATE_LIMIT: '1/24h', TRUSTED_PROXIES: '127.0.0.1' });
    const { api } = await startApp({ rateLimit, trustedProxies });
    const statusOf = async (number: number, options: object = { key: null }): Promise<number> => {
      const headers = { 'x-forwarded-for': `2001:db8:${number.toString(16)}::1` };
      const { status } = await api.get('/v1/pets?limit=1', { ...options, headers });
      // A busy machine refuses some before their address counts.
      return status === 503 ? statusOf(number, options) : status;
    };
    const statuses: number[] = [];
    for (let first = 0; first < KNOWN + BATCH; first += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, at) => first + at);
      statuses.push(...(await Promise.all(numbers.map((number) => statusOf(number)))));
    }
    expect(statuses.slice(0, KNOWN).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(KNOWN).filter((status) => status === 401)).toHaveLength(1);
    expect(statuses.slice(KNOWN).filter((status) => status === 429)).toHaveLength(BATCH - 1);
    expect([await statusOf(7), await statusOf(KNOWN + 7), await statusOf(KNOWN + 7, {})]).toEqual([429, 429, 200]);
  },
  TIME,
);
