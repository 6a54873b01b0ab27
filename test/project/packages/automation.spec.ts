import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { errorsOfWorkflow } from './errors-of-workflow.js';

interface Job {
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { scripts, engines, license } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
  license: string;
};

const testFiles = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('spec.ts'),
);

describe('the workflow of GitHub Actions', () => {
  const text = read('.github/workflows/ci.yml');
  const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions: object };
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));

  it('is valid for the parser of GitHub', async () => {
    expect(await errorsOfWorkflow(text)).toEqual([]);
  });

  it.each([
    ['a setting that does not exist', 'timeout-minutes: 90', 'timeout-minuts: 90', "Unexpected value 'timeout-minuts'"],
    [
      'an unknown name in an expression',
      '${{ matrix.node }}',
      '${{ matrx.node }}',
      "Unrecognized named-value: 'matrx'",
    ],
    ['a job without a machine', 'runs-on:', 'runs-off:', 'Required property is missing: runs-on'],
    ['a job that needs an unknown one', '  test:\n', '  test:\n    needs: build\n', "depends on unknown job 'build'"],
  ])('would not be valid with %s', async (_, valid, invalid, message) => {
    const errors = await errorsOfWorkflow(text.replace(valid, invalid));
    expect(errors).toContainEqual(expect.stringContaining(message));
  });

  it('runs every test on every supported release of Node', () => {
    const { strategy, steps } = jobs.test!;
    expect(strategy!.matrix.node).toEqual(engines.node.match(/(?<=[\^=])\d+/g)!.map(Number));
    // With a pattern or --engine, a run does not check that each status of the contract was exercised.
    expect(steps.at(-1)).toEqual({ run: 'npm run test:all' });
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(['static', 'browser', 'scale']));
  });

  it('runs only scripts that exist, and everything that .ci/run does but the benchmark', () => {
    const called = (among: string): string[] =>
      [...among.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name!).filter((name) => name !== 'ci');
    const names = commands.flatMap(called);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    // The matrix of the job `test` and the job `example` replace the second.
    const elsewhere = new Set(['bench:quick', 'test:node']);
    const complete = called(read('.ci/run').replace(/^#.*/gm, '')).filter((name) => !elsewhere.has(name));
    expect(complete).toEqual(expect.arrayContaining(['check:static', 'test:scale']));
    expect(read('.ci/run')).toContain('\nnpm run test:node -- 24 --example\n');
    expect(names).toEqual(expect.arrayContaining([...complete, 'test:example']));
  });

  it('names tests that exist', () => {
    const patterns = commands.flatMap(
      (command) => /^npm run test:sqlite -- (.*)$/.exec(command)?.[1]!.split(' ') ?? [],
    );
    expect(patterns.length).toBeGreaterThan(1);
    expect(patterns.filter((pattern) => !testFiles.some((file) => file.includes(pattern)))).toEqual([]);
  });

  it('installs the Debian packages that the documentation lists, like .ci/run', () => {
    const namesIn = (among: readonly string[]) => new Set(among.flatMap((names) => names.split(' ')).toSorted());
    const listed = [...read('docs/development.md').matchAll(/^\$ apt-get install (.*)/gm)].map(([, names]) => names!);
    const installed = commands.flatMap(
      (command) => /apt-get install -y --no-install-recommends (.*)/.exec(command)?.[1] ?? [],
    );
    expect(installed).toContain(listed[0]);
    expect(namesIn(installed)).toEqual(namesIn(listed));
    const complete = read('.ci/run');
    expect(complete).toContain(`--no-install-recommends ${listed[0]} >`);
    expect(namesIn([listed[0]!, /^scale='(.*)'$/m.exec(complete)![1]!])).toEqual(namesIn(listed));
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
