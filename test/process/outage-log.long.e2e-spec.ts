import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, stopService } from '../support/built-service.js';
import { newDatabaseFile, TIME } from './starts.js';

const FAILURES = 30;

it(
  'logs an outage in one line when it starts and one when it ends, without stacks',
  async () => {
    const file = newDatabaseFile();
    const service = await startService(file, { LOG_LEVEL: 'info' });
    const entries = () =>
      service.output.stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .map(({ context, msg, reason, failures, err }) => ({ context, msg, reason, failures, err }));

    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const create = () => service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 });
    const responses = await Promise.all(Array.from({ length: FAILURES }, create));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    other.close();
    while (entries().length < 2) await delay(100);

    expect(entries()).toEqual([
      {
        context: 'Outage',
        msg: 'Requests fail: The database is unavailable; try again.',
        reason: 'SQLITE_BUSY: database is locked',
      },
      { context: 'Outage', msg: 'Requests have stopped failing.', failures: FAILURES },
    ]);
    await stopService(service);
  },
  TIME,
);
