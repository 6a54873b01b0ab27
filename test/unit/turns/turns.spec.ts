import { describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { PassThrough } from 'node:stream';
import type { ClientConnection } from '../../../src/platform/http/load/client-connection.js';
import { Patience } from '../../../src/platform/http/load/patience.js';
import { Turns } from '../../../src/platform/http/load/turns.js';
import { LargeResult, noteStatement } from '../../../src/platform/process/large-results.js';

const callers = new AsyncLocalStorage<string>();

it('requests that waited for a saturated database start in the context of no other request', async () => {
  const pool = { waitingCount: 1, options: { max: 0 } };
  new LargeResult(new PassThrough()).end();
  noteStatement(pool);
  const context = await new Promise((resolve) => {
    const turns = new Turns(new Patience(), () => {
      resolve(callers.getStore());
      return true;
    });
    // Of a connection, turns only write since when it is ready.
    callers.run('another caller', () => turns.add({ readySince: 0 } as unknown as ClientConnection, performance.now()));
    setTimeout(() => (pool.waitingCount = 0), 20);
  });
  expect(context).toBeUndefined();
});

describe('Turns', () => {
  const CONNECTIONS = 3;
  /** Milliseconds. */
  const TURN = 30;

  it('tells its patience how long the turns of a batch took', async () => {
    const patience = new Patience();
    const begin = performance.now();
    // Whether two more connections would have to wait too long, at each turn.
    const exceeded = await new Promise<boolean[]>((resolve) => {
      const seen: boolean[] = [];
      const turns = new Turns(patience, () => {
        patience.shed(performance.now());
        seen.push(patience.wouldExceed(0, 2, performance.now()));
        while (performance.now() < begin + seen.length * TURN);
        if (seen.length === CONNECTIONS) resolve(seen);
        return true;
      });
      for (let count = 0; count < CONNECTIONS; count += 1) {
        turns.add({ readySince: 0 } as unknown as ClientConnection, performance.now());
      }
    });
    // The first batch has one turn, and is measured when the next one begins.
    expect(exceeded).toEqual([false, true, true]);
  });
});
