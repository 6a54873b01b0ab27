import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { build, errorMessageOf } from '../../support/built-service.js';
import { COMMAND, copyOfBench, run } from './copy-of-bench.js';

it('bench/transactions/transactions.mjs says in one sentence that the server is unreachable, and leaves nothing', async () => {
  const url = 'postgres://pets:of-mine@127.0.0.1:9/pets';
  const { end, left } = await run(copyOfBench(join(await build(), 'dist')), COMMAND, '--url', url);
  expect(errorMessageOf(end)).toBe(
    'The database postgres://127.0.0.1:9/pets cannot be opened: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9; ' +
      'start its server, or correct its address.',
  );
  expect(left).toEqual([]);
});

it.each([COMMAND, 'bench/contract-checks.mjs'])('%s says in one sentence that there is no build', async (file) => {
  const { end, left } = await run(copyOfBench(), file);
  expect(errorMessageOf(end)).toBe('There is no build: run "npm run build" first.');
  expect(left).toEqual([]);
});
