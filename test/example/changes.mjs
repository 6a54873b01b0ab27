import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLE = fileURLToPath(new URL('../../docs/example/orders', import.meta.url));

/** The files that a new group changes: lines added and removed, undefined for any number. */
const CHANGED = {
  // `npm run contract:client` writes it.
  'client/src/contract.generated.ts': { removed: 0 },
  'openapi.yaml': { removed: 0 },
  // The line with the modules, and an import.
  'src/app.module.ts': { added: 2, removed: 1 },
  // The line with the entities, that with the migrations, which becomes a list of six lines, and three imports.
  'src/data-source.ts': { added: 10, removed: 2 },
};

/** Makes the copy a repository of one commit, so that its changes can be listed and its contract compared. */
export function beginHistory(directory) {
  git(directory, 'init', '--quiet');
  git(directory, 'add', '--all');
  git(directory, '-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '--message=base');
}

/** One sentence for each file that is not as expected since then. */
export function problemsOfChanges(directory) {
  const added = git(directory, 'ls-files', '--others', '--exclude-standard');
  const expected = ['src', 'test'].flatMap((folder) =>
    filesOf(join(EXAMPLE, folder)).map((file) => join(folder, file)),
  );
  const changed = git(directory, 'diff', '--numstat').map((line) => line.split('\t'));
  return [
    ...added.filter((file) => !expected.includes(file)).map((file) => `${file} was added.`),
    ...expected.filter((file) => !added.includes(file)).map((file) => `${file} was not added.`),
    ...changed.flatMap(([plus, minus, file]) => problemOf(file, Number(plus), Number(minus))),
    ...Object.keys(CHANGED)
      .filter((file) => !changed.some(([, , name]) => name === file))
      .map((file) => `${file} was not changed.`),
  ];
}

function problemOf(file, plus, minus) {
  const limits = CHANGED[file];
  if (!limits) return [`${file} was changed.`];
  const { added = plus, removed } = limits;
  return plus === added && minus === removed ? [] : [`${file} has ${plus} lines more and ${minus} less.`];
}

function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean);
}
