import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuiltService, startService, stopService } from '../support/built-service.js';
import { newDatabaseFile, TIME } from './starts.js';

const FAILURES = 30;
const START = {
  context: 'Outage',
  msg: 'Requests fail: The database is unavailable; try again.',
  reason: 'SQLITE_BUSY: database is locked',
};
const endAfter = (failures: number) => ({ context: 'Outage', msg: 'Requests have stopped failing.', failures });
const PET = { name: 'Tom', categoryId: 7 };

/** The lines of the log after calls to a service whose database is locked, once the outage has ended. */
async function linesOf(logRequests: string, call: (service: BuiltService) => Promise<unknown>) {
  const file = newDatabaseFile();
  const service = await startService(file, { LOG_LEVEL: 'info', LOG_REQUESTS: logRequests });
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  await call(service);
  other.close();
  while (!service.output.stderr.includes(endAfter(0).msg)) await delay(100);
  await stopService(service);
  return service.output.stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ context }) => context !== 'Database' && context !== 'Stop')
    .map(({ context, msg, reason, failures, err, operationId, status }) => ({
      context,
      msg,
      reason,
      failures,
      err,
      operationId,
      status,
    }));
}

describe('an outage', () => {
  it(
    'has one line in the log when it starts and one when it ends, without stacks',
    async () => {
      const lines = await linesOf('none', async ({ api }) => {
        const create = () => api.post('/v1/pets', PET);
        const responses = await Promise.all(Array.from({ length: FAILURES }, create));
        expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
      });
      expect(lines).toEqual([START, endAfter(FAILURES)]);
    },
    TIME,
  );

  it(
    'also has the lines of its requests with LOG_REQUESTS=errors, and of probes, which it does not count',
    async () => {
      const lines = await linesOf('errors', async ({ api }) => {
        expect((await api.get('/ready')).status).toBe(503);
        expect((await api.post('/v1/pets', PET)).status).toBe(503);
        expect((await api.get('/ready')).status).toBe(503);
      });
      const probe = { context: 'Request', status: 503 };
      expect(lines).toEqual([probe, START, { ...probe, operationId: 'createPet' }, probe, endAfter(1)]);
    },
    TIME,
  );
});
