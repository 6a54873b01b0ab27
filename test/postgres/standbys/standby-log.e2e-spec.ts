import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, stopService } from '../../support/built-service.js';
import { withFailing } from './failing-function.js';
import { createDatabase, type TestDatabase } from '../../support/databases/databases.js';

/** Milliseconds for a few processes, and possibly a build. */
const TIME = 240_000;
/** A port that no server has. */
const NOWHERE = 'postgres://pets:secret@127.0.0.1:1/pets';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

describe('standbys whose primary does not tell what it has written', () => {
  it(
    'serve no reads, which is in the log once, with the reason',
    async () => {
      const other = await createDatabase();
      await withFailing(other.url, 'pg_control_system() RETURNS TABLE (system_identifier bigint)');
      const variables = { DATABASE_URL: other.url, DATABASE_READ_URL: other.url, LOG_LEVEL: 'warn' };
      const service = await startService('unused', variables);
      for (const end = Date.now() + 30_000; service.output.stderr === '' && Date.now() < end;) await delay(20);
      // The next checks fail as well.
      await delay(1500);
      await stopService(service);
      const lines = service.output.stderr.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({
          level: 40,
          context: 'Standbys',
          msg: 'The standbys serve no reads, because the primary does not tell what it has written.',
          reason: expect.stringContaining('not today'),
        }),
      ]);
      await other.drop();
    },
    TIME,
  );
});

describe('a standby that serves no reads from the start', () => {
  it(
    'is in the log once, with the reason and without its password',
    async () => {
      const service = await startService('unused', {
        DATABASE_URL: database.url,
        DATABASE_READ_URL: NOWHERE,
        LOG_LEVEL: 'warn',
      });
      while (!service.output.stderr.includes('\n')) await delay(20);
      // Every check that follows finds the same.
      await delay(1000);
      await stopService(service);
      const lines = service.output.stderr.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({
          level: 40,
          context: 'Standbys',
          msg: 'The standby postgres://127.0.0.1:1/pets serves no reads until it recovers.',
          reason: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
        }),
      ]);
      expect(service.output.stderr).not.toContain('secret');
    },
    TIME,
  );
});
