import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Decisions and the changelog describe the past. */
const pages = ['.', 'docs', 'bench', 'client', 'src/platform']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
  .filter((page) => page.endsWith('.md') && page !== 'CHANGELOG.md');

/** npm's own commands. */
const OF_NPM = new Set(['ci', 'pack', 'publish', 'install', 'sbom', 'run']);

/** The code of a page: its console sessions, and what stands in backticks. */
function codeOf(text: string): string {
  return [...text.matchAll(/```console\n(.*?)```|`([^`\n]+)`/gs)]
    .map(([, session, inline]) => session ?? inline!)
    .join('\n');
}

/** `npm run NAME`, also as `npm run -s NAME` and `npm test`. */
function scriptsOf(text: string): string[] {
  return [...codeOf(text).matchAll(/\bnpm (?:run (?:-s |--silent |-- )?)?([a-z][\w:]*)/g)]
    .map(([, name]) => name!)
    .filter((name) => !OF_NPM.has(name));
}

function filesOf(text: string): string[] {
  return codeOf(text).match(/(?<![\w./@:{-])(?:src|test|deploy|tools|docs|bench|dist)\/[\w./-]*\w/g) ?? [];
}

/** Not files of the repository: an example of a page, what builds write, and the name of a Deployment in Kubernetes. */
const NO_FILES = /^src\/shelters|^dist\/\w+\.|^bench\/(dist|results)|^deploy\/pet-store$/;

/** A file of a build exists as its source; the beginning of a name selects tests. */
function exists(file: string): boolean {
  const path = join(ROOT, file.replace(/^dist\/(.*)\.js$/, 'src/$1.ts'));
  if (NO_FILES.test(file) || existsSync(path)) return true;
  return file.startsWith('test/') && readdirSync(dirname(path)).some((name) => name.startsWith(basename(path)));
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  it('names only commands that exist', () => {
    expect(scriptsOf(text).filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names only files that exist', () => {
    expect(filesOf(text).filter((file) => !exists(file) && !existsSync(join(ROOT, page, '..', file)))).toEqual([]);
  });
});

describe('the tests above', () => {
  it('would find a missing command and a missing file', () => {
    expect(scriptsOf('Run `npm run -s keys -- list`, `npm test` and `npm run no:such`.')).toEqual([
      'keys',
      'test',
      'no:such',
    ]);
    expect(filesOf('`node dist/commands/none.js` and `src/none.ts`').filter((file) => !exists(file))).toHaveLength(2);
    expect(scriptsOf(readFileSync(join(ROOT, 'docs/development.md'), 'utf8')).length).toBeGreaterThan(20);
  });
});
