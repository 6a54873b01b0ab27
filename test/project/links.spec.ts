import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const pages = ['.', 'docs', 'docs/adr', 'bench', 'client', 'src/platform'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function targetExists(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(file).includes(anchor));
}

describe('the links of the documentation', () => {
  it.each(pages)('lead to existing files and headings: %s', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(relative.filter((target) => !targetExists(page, target))).toEqual([]);
  });
});

describe('src/platform/README.md', () => {
  it('names files that exist', () => {
    const text = readFileSync(join(ROOT, 'src/platform/README.md'), 'utf8');
    const names = [...new Set(text.match(/[\w-]+\/[\w./-]+\.ts/g))];
    expect(names.length).toBeGreaterThan(30);
    const folderOf = (name: string) => (name.startsWith('src/') ? ROOT : join(ROOT, 'src/platform'));
    expect(names.filter((name) => !existsSync(join(folderOf(name), name)))).toEqual([]);
  });
});
