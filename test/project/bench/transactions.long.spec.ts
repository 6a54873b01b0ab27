import { expect, it } from '@jest/globals';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, errorMessageOf, spawnProcess, temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = 'bench/transactions/transactions.mjs';

/** A copy of the benchmark, because a test does not depend on an earlier build; without `dist`, it has none. */
function copyOfBench(dist?: string): string {
  const folder = temporaryDirectory();
  for (const name of ['bench', 'tools/read-arguments.mjs', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (dist !== undefined) symlinkSync(dist, join(folder, 'dist'), 'junction');
  return folder;
}

/** How the command ended, and the files that it left. */
async function run(cwd: string, ...args: readonly string[]) {
  const TMPDIR = join(temporaryDirectory(), 'temporary');
  mkdirSync(TMPDIR);
  const { output, exit } = spawnProcess(process.execPath, args, { cwd, env: { PATH: process.env.PATH, TMPDIR } });
  return { end: { ...(await exit), ...output }, left: readdirSync(TMPDIR) };
}

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
