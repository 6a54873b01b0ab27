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

/** The lines of a service that reads from this address, from the first one to some checks later. */
async function linesOf(databaseUrl: string, readUrl: string): Promise<unknown[]> {
  const addresses = { DATABASE_URL: databaseUrl, DATABASE_READ_URL: readUrl };
  const service = await startService('unused', { ...addresses, LOG_LEVEL: 'warn' });
  for (const end = Date.now() + 30_000; service.output.stderr === '' && Date.now() < end;) await delay(20);
  // Every check that follows finds the same.
  await delay(1500);
  await stopService(service);
  const lines = service.output.stderr.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('standbys whose primary does not report what it has written', () => {
  it(
    'serve no reads, which is in the log once, with the reason',
    async () => {
      const other = await createDatabase();
      await withFailing(other.url, 'pg_control_system() RETURNS TABLE (system_identifier bigint)');
      expect(await linesOf(other.url, other.url)).toEqual([
        expect.objectContaining({
          level: 40,
          context: 'Standbys',
          msg: 'The standbys serve no reads, because the primary does not report what it has written.',
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
      const lines = await linesOf(database.url, NOWHERE);
      expect(lines).toEqual([
        expect.objectContaining({
          level: 40,
          context: 'Standbys',
          msg: 'The standby postgres://127.0.0.1:1/pets serves no reads until it recovers.',
          reason: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
        }),
      ]);
      expect(JSON.stringify(lines)).not.toContain('secret');
    },
    TIME,
  );
});
