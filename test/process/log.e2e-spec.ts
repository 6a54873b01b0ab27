import { describe, expect, it } from '@jest/globals';
import { startToysProcess } from './errors-leak/toys-process.js';

interface Entry {
  readonly level: number;
  readonly context: string;
  readonly msg: string;
}

/** Milliseconds: a start from the source, on a machine that is busy with other specs. */
const TIME = 60_000;

/** What the toys write from their start to their end. */
async function entriesAt(level: string): Promise<Entry[]> {
  const { stop } = await startToysProcess({ API_KEYS: 'key-of-the-tests', LOG_LEVEL: level });
  const { log } = await stop();
  return log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
}

describe('the log of a start', () => {
  it(
    'has what a feature says by log(), and nothing of how Nest starts',
    async () => {
      const entries = await entriesAt('info');
      expect(entries.map(({ level, context, msg }) => ({ level, context, msg }))).toEqual([
        { level: 30, context: 'Life', msg: 'The toys are here.' },
      ]);
    },
    TIME,
  );

  it(
    'has how Nest starts when it is asked for',
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
