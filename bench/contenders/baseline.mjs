import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../machine/processes.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILE = new URL('../baseline.json', import.meta.url);

/** Milliseconds for a compiler on a slow machine. */
const TIME_LIMIT = 300_000;

/** The commit that later ones may not be slower than. */
export const baselineCommit = () => JSON.parse(readFileSync(FILE, 'utf8')).commit;

/** Builds the service of a commit, with the packages installed here. Returns its main.js. */
export async function buildCommit(commit, directory) {
  const folder = join(directory, 'baseline');
  const archive = `${folder}.tar`;
  mkdirSync(folder);
  await archiveCommit(commit, archive);
  await run(['tar', '-xf', archive, '-C', folder], ROOT);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await run(['npm', 'run', 'build'], folder);
  return join(folder, 'dist/main.js');
}

async function archiveCommit(commit, archive) {
  try {
    await run(['git', 'archive', '--output', archive, commit], ROOT);
  } catch (error) {
    throw new Error(
      `Git finds no commit ${commit}: run "git fetch --unshallow", or name another one with --baseline.`,
      { cause: error },
    );
  }
}

const run = (command, cwd) => outputOf(command, { milliseconds: TIME_LIMIT, cwd });
