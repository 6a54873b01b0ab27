import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Job {
  readonly strategy?: { readonly matrix: { readonly node: readonly number[]; readonly database: readonly string[] } };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { scripts, engines, license } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
  license: string;
};

describe('the workflow of GitHub Actions', () => {
  const text = read('.github/workflows/ci.yml');
  const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions: object };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));

  it('runs the tests on every supported release of Node and on both databases', () => {
    const { node, database } = jobs.test!.strategy!.matrix;
    expect(node).toEqual(engines.node.match(/(?<=[\^=])\d+/g)!.map(Number));
    expect(database).toEqual(['sqlite', 'postgres']);
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(['static', 'browser', 'scale']));
  });

  it('runs only scripts that exist, and everything that .ci/run does but the benchmark', () => {
    const called = (among: string): string[] =>
      [...among.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name!).filter((name) => name !== 'ci');
    const names = commands.flatMap(called);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    // The matrix of the job `test` replaces two of them.
    const elsewhere = new Set(['bench:quick', 'test:all', 'test:node']);
    const complete = called(read('.ci/run').replace(/^#.*/gm, '')).filter((name) => !elsewhere.has(name));
    expect(complete).toEqual(expect.arrayContaining(['check:static', 'test:example', 'test:scale']));
    expect(names).toEqual(expect.arrayContaining(complete));
  });

  it('installs the Debian packages that the documentation lists', () => {
    const listed = [...read('docs/development.md').matchAll(/^\$ apt-get install (.*)/gm)].map(([, names]) => names);
    const installed = commands.map((command) => /apt-get install -y --no-install-recommends (.*)/.exec(command)?.[1]);
    expect(installed).toEqual(expect.arrayContaining(listed));
  });

  it('pins each action to a commit, with its version beside it, and may only read', () => {
    const actions = text.split('\n').filter((line) => line.includes('uses:'));
    expect(actions.length).toBeGreaterThan(3);
    expect(actions.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    expect(permissions).toEqual({ contents: 'read' });
  });
});

describe('renovate.json', () => {
  const settings = JSON.parse(read('renovate.json')) as {
    minimumReleaseAge: string;
    extends: string[];
    lockFileMaintenance?: object;
  };

  it('waits after a release, and keeps actions pinned', () => {
    expect(Number.parseInt(settings.minimumReleaseAge, 10)).toBeGreaterThanOrEqual(7);
    expect(settings.minimumReleaseAge).toMatch(/^\d+ days$/);
    expect(settings.extends).toContain('helpers:pinGitHubActionDigests');
    // npm would choose the releases, of any age.
    expect(settings.lockFileMaintenance).toBeUndefined();
  });

  it('leaves the images at their tags, as the Dockerfile says', () => {
    expect(read('deploy/Dockerfile')).toContain('The base image is a tag');
    expect(settings.extends.filter((preset) => /pinDigests|best-practices/.test(preset))).toEqual([]);
  });
});

describe('package-lock.json', () => {
  it('contains no addresses of a registry', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
  });
});

describe('LICENSE', () => {
  it('is the licence of every package.json', () => {
    expect(license).toBe('MIT');
    expect(read('LICENSE')).toMatch(/^MIT License\n/);
    expect((JSON.parse(read('client/package.json')) as { license: string }).license).toBe('MIT');
  });
});
