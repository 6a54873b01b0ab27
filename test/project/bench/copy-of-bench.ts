import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnProcess, temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const COMMAND = 'bench/transactions/transactions.mjs';

/** A copy of the benchmark, because a test does not depend on an earlier build; without `dist`, it has none. */
export function copyOfBench(dist?: string): string {
  const folder = temporaryDirectory();
  for (const name of ['bench', 'tools/read-arguments.mjs', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (dist !== undefined) symlinkSync(dist, join(folder, 'dist'), 'junction');
  return folder;
}

/** How the command ended, and the files that it left. */
export async function run(cwd: string, ...args: readonly string[]) {
  const TMPDIR = join(temporaryDirectory(), 'temporary');
  mkdirSync(TMPDIR);
  const { output, exit } = spawnProcess(process.execPath, args, { cwd, env: { PATH: process.env.PATH, TMPDIR } });
  return { end: { ...(await exit), ...output }, left: readdirSync(TMPDIR) };
}
