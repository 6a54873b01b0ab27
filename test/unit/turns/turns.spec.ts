import { expect, it } from '@jest/globals';
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
