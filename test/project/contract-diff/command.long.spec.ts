import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../../tools/contract-diff/run.mjs', import.meta.url));

const BASE = { version: '1.0.0', limit: 100, summary: 'Lists.', members: 'name: {type: string}' };

/** A contract with a request and a response; each value of `changes` replaces one of BASE. */
function contract(changes: Partial<typeof BASE> = {}): string {
  const { version, limit, summary, members } = { ...BASE, ...changes };
  return `
openapi: 3.0.3
info: {title: Pets, version: ${version}}
paths:
  /pets:
    get:
      summary: ${summary}
      parameters: [{in: query, name: limit, schema: {type: integer, maximum: ${limit}}}]
      responses: {200: {content: {application/json: {schema: {type: object, properties: {${members}}}}}}}
`;
}

const BREAKING = { limit: 50 };
const ADDITIVE = { members: 'name: {type: string}, age: {type: integer}' };

let folder: string;

// Git must not look at the repository of the tests, nor at anybody's configuration.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CEILING_DIRECTORIES: tmpdir(),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.test'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
}

const write = (text: string): void => writeFileSync(join(folder, 'openapi.yaml'), text);

/** The name of the commit. */
function commit(text: string): string {
  write(text);
  git('add', 'openapi.yaml');
  git('commit', '-q', '--allow-empty', '-m', 'change');
  return git('rev-parse', '--short', 'HEAD');
}

function diff(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function errorOf(...args: readonly string[]): string {
  const { stderr, ...rest } = diff(...args);
  expect(rest).toEqual({ status: 2, stdout: '' });
  expect(stderr.trimEnd()).not.toContain('\n');
  return stderr.trimEnd();
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-diff-'));
  git('init', '-q');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('npm run contract:diff', () => {
  it('passes without a change', () => {
    const base = commit(contract());
    expect(diff()).toEqual({
      status: 0,
      stdout: `0 changes of openapi.yaml since ${base} (version 1.0.0, now 1.0.0): 0 breaking, 0 additive, 0 documentation.\n`,
      stderr: '',
    });
  });

  it('fails with a table when a change breaks clients, the worst changes first', () => {
    const base = commit(contract());
    write(contract({ ...BREAKING, ...ADDITIVE, summary: 'Lists pets.' }));
    expect(diff()).toEqual({
      status: 1,
      stdout: [
        'Direction  Verdict        Place                                     What changed',
        'request    breaking       GET /pets › query limit                   maximum 100 → 50',
        'response   additive       GET /pets › 200 › application/json › age  optional member added',
        'document   documentation  GET /pets                                 summary changed',
        '',
        `3 changes of openapi.yaml since ${base} (version 1.0.0, now 1.0.0): 1 breaking, 1 additive, 1 documentation.`,
        'Breaking changes require a new major version: set info.version to 2.0.0, or take them back.',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it.each([
    ['fails when a breaking change comes with a new minor version', { ...BREAKING, version: '1.1.0' }, 1],
    ['fails when a breaking change comes with a lower version', { ...BREAKING, version: '0.9.0' }, 1],
    ['passes when a breaking change comes with a new major version', { ...BREAKING, version: '2.0.0' }, 0],
    ['passes when an additive change comes without a new version', ADDITIVE, 0],
  ])('%s', (_, changes, status) => {
    commit(contract());
    write(contract(changes));
    expect(diff()).toMatchObject({ status, stderr: '' });
  });

  it.each([
    ['notes that an additive change is usually a new minor version', ADDITIVE, true],
    ['notes nothing when it comes with one', { ...ADDITIVE, version: '1.1.0' }, false],
    ['notes nothing when it comes with a new major version', { ...ADDITIVE, version: '2.0.0' }, false],
  ])('%s', (_, changes, isNoted) => {
    commit(contract());
    write(contract(changes));
    expect(diff().stdout.includes('Note: a release with additive changes is usually a new minor version, 1.1.0.')).toBe(
      isNoted,
    );
  });

  it('prints the same as JSON', () => {
    const base = commit(contract());
    write(contract(BREAKING));
    const { status, stdout } = diff('--json');
    expect({ status, report: JSON.parse(stdout) as unknown }).toEqual({
      status: 1,
      report: {
        base,
        released: '1.0.0',
        version: '1.0.0',
        counts: { breaking: 1, additive: 0, documentation: 0 },
        passed: false,
        advice: 'Breaking changes require a new major version: set info.version to 2.0.0, or take them back.',
        changes: [
          { direction: 'request', verdict: 'breaking', place: 'GET /pets › query limit', what: 'maximum 100 → 50' },
        ],
      },
    });
  });

  it('lists its options', () => {
    expect(diff('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--base REF') });
  });
});

describe('the last release', () => {
  it('is the newest version tag before the present commit', () => {
    commit(contract({ limit: 10 }));
    git('tag', 'v1.9.0');
    commit(contract());
    git('tag', 'v1.10.0');
    git('tag', 'nightly');
    commit(contract(BREAKING));
    git('checkout', '-q', '-b', 'other', 'HEAD~1');
    commit(contract({ limit: 20 }));
    git('tag', 'v3.0.0');
    git('checkout', '-q', '-');
    expect(diff()).toMatchObject({ status: 1, stdout: expect.stringContaining('since v1.10.0 ') });
  });

  it('is the commit that gave the version its present value when no tag exists', () => {
    commit(contract({ version: '0.9.0', limit: 10 }));
    const release = commit(contract());
    commit(contract(BREAKING));
    commit(contract({ ...BREAKING, ...ADDITIVE }));
    expect(diff()).toMatchObject({ status: 1, stdout: expect.stringContaining(`since ${release} `) });
  });

  it.each([
    ['breaks clients in a new minor version', { ...BREAKING, version: '1.1.0' }, 1],
    ['breaks clients in a new major version', { ...BREAKING, version: '2.0.0' }, 0],
    ['adds something in a new minor version', { ...ADDITIVE, version: '1.1.0' }, 0],
  ])('still counts after the commit that %s, when no tag exists', (_, changes, status) => {
    const release = commit(contract());
    commit(contract({ summary: 'Lists pets.' }));
    write(contract(changes));
    expect(diff().status).toBe(status);
    commit(contract(changes));
    expect(diff()).toMatchObject({
      status,
      stdout: expect.stringContaining(status === 0 ? '0 changes of openapi.yaml' : `since ${release} (version 1.0.0`),
    });
    expect(diff('--base', 'HEAD').status).toBe(0);
  });

  it('is not a commit of the past without a version, when no tag exists', () => {
    for (const text of ['openapi: [', contract({ ...BREAKING, version: 'next' }), contract()]) commit(text);
    expect(diff().status).toBe(0);
  });

  it('is what --base names', () => {
    const first = commit(contract(BREAKING));
    commit(contract());
    git('tag', 'v1.0.0');
    write(contract(BREAKING));
    expect(diff().status).toBe(1);
    expect(diff('--base', first)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`0 changes of openapi.yaml since ${first} `),
    });
  });
});

describe('npm run contract:diff says what to do', () => {
  it('outside a clone', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    write(contract());
    expect(errorOf()).toBe('Git knows no repository here: install git and run this in a clone.');
  });

  it('in a clone without history', () => {
    commit(contract());
    commit(contract());
    const origin = folder;
    folder = mkdtempSync(join(tmpdir(), 'contract-diff-'));
    git('clone', '-q', '--depth', '1', pathToFileURL(origin).href, '.');
    expect(errorOf()).toBe(
      'This clone has no history: run git fetch --unshallow --tags, or name the release with --base.',
    );
    expect(diff('--base', 'HEAD').status).toBe(0);
    rmSync(origin, { recursive: true });
  });

  it('before the first commit of the contract', () => {
    write(contract());
    expect(errorOf()).toBe('No commit has openapi.yaml yet: commit it first, or name the release with --base.');
  });

  it('about a base that does not exist', () => {
    commit(contract());
    expect(errorOf('--base', 'v9.9.9')).toBe(
      'Git finds no openapi.yaml at "v9.9.9": name another commit or tag with --base, or fetch that one.',
    );
  });

  it('about an empty base, with which Git would read the staged contract', () => {
    commit(contract());
    write(contract(BREAKING));
    git('add', 'openapi.yaml');
    expect(errorOf('--base', '')).toBe('The option --base is empty; give it a value, or omit it.');
  });

  it('about a base that looks like an option of git', () => {
    commit(contract());
    expect(errorOf('--base=--output=stolen')).toContain('Git finds no openapi.yaml at');
  });

  it('about a contract that is not YAML', () => {
    commit(contract());
    write('openapi: [');
    expect(errorOf()).toMatch(/^openapi\.yaml is not valid YAML: /);
  });

  it('about a contract that is missing', () => {
    commit(contract());
    rmSync(join(folder, 'openapi.yaml'));
    expect(errorOf()).toBe('No openapi.yaml here: run this in the root of the repository.');
  });

  it('about a reference that leads nowhere', () => {
    commit(contract());
    write(contract({ members: 'name: {$ref: "#/components/schemas/Name"}' }));
    expect(errorOf()).toBe('#/components/schemas/Name leads nowhere in this file: correct the $ref.');
  });

  it('about a version that is none', () => {
    commit(contract());
    write(contract({ version: 'next' }));
    expect(errorOf()).toBe('info.version is "next": make it a version such as 1.0.0.');
  });

  it('about an unknown option', () => {
    expect(errorOf('--bsae', 'v1.0.0')).toBe(
      "Unknown option '--bsae': npm run contract:diff -- --help lists the options.",
    );
  });
});

describe('npm run check', () => {
  it('compares the contract with the last release', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts.check).toContain('npm run contract:diff');
  });
});
