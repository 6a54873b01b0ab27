import { describe, expect, it } from '@jest/globals';
import { ENGINE } from '../support/databases/databases.js';
import { startToysProcess } from './errors-leak/toys-process.js';

interface Entry {
  readonly level: number;
  readonly context: string;
  readonly msg: string;
}

/** Milliseconds for a start from source on a busy machine. */
const TIME = 240_000;

const CREATED = {
  level: 30,
  context: 'Database',
  msg: expect.stringMatching(/^The database \S+ was missing or empty, so a new one was created\.$/),
};

/** The log entries of the toys from start to shutdown. */
async function entriesAt(level: string): Promise<Entry[]> {
  const { stop } = await startToysProcess({ API_KEYS: 'key-of-the-tests', LOG_LEVEL: level });
  const { log } = await stop();
  return log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
}

describe('the log from start to stop', () => {
  it(
    "contains a new database, what a feature logs and the stop, but not Nest's start-up messages",
    async () => {
      const entries = await entriesAt('info');
      expect(entries.map(({ level, context, msg }) => ({ level, context, msg }))).toEqual([
        // On PostgreSQL, the database of a test has its tables already.
        ...(ENGINE === 'sqlite' ? [CREATED] : []),
        { level: 30, context: 'Life', msg: 'The toys are here.' },
        { level: 30, context: 'Stop', msg: 'The service has stopped, and its database is closed.' },
      ]);
    },
    TIME,
  );

  it(
    "contains Nest's start-up messages at level debug",
    async () => {
      const entries = await entriesAt('debug');
      const ofNest = entries.filter(({ level }) => level === 20).map(({ context }) => context);
      expect([...new Set(ofNest)].toSorted()).toEqual([
        'InstanceLoader',
        'NestApplication',
        'NestFactory',
        'RouterExplorer',
        'RoutesResolver',
      ]);
    },
    TIME,
  );
});
