import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { WriteTurns } from '../../../src/platform/database/sqlite/write-turns.js';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';

let connection: Database.Database;
let turns: WriteTurns;
let log: string[];

beforeEach(() => {
  connection = new Database(':memory:');
  turns = WriteTurns.of(connection);
  log = [];
});

afterEach(() => void connection.close());

/** Takes a turn until the returned function is called. */
function hold(name: string): () => void {
  let end: () => void;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  void turns.runWithin(0, async () => {
    log.push(name);
    await isOver;
  });
  return () => end();
}

describe('the turns of writes', () => {
  it('come in the order of arrival', async () => {
    const end = hold('first');
    const others = ['second', 'third'].map((name) => turns.runWithin(0, async () => void log.push(name)));
    expect(log).toEqual(['first']);
    end();
    await Promise.all(others);
    expect(log).toEqual(['first', 'second', 'third']);
  });

  it('that do not come in time fail with 503, and are never taken', async () => {
    const end = hold('first');
    const late = turns.runWithin(1, async () => void log.push('late'));
    // Timers expire in their order, however slow the machine is.
    const outcome = await Promise.race([late.catch((error: unknown) => error), delay(50, 'waits')]);
    expect(outcome).toBeInstanceOf(DatabaseUnavailable);
    const next = turns.run(() => void log.push('next'));
    end();
    await Promise.race([next, delay(50)]);
    expect(log).toEqual(['first', 'next']);
  });
});
