import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorMessageOf, runCommand, temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { scripts: Record<string, string> };
/** Milliseconds for a few processes and possibly the build. */
const TIME = 240_000;

/** What the image contains. */
const BUNDLED = ['main.js', ...['keys', 'migrate', 'db-copy', 'seed', 'backup'].map((name) => `commands/${name}.js`)];

/** Scripts that run a program of this repository. Those of the service run what is bundled. */
const OWN = Object.entries(scripts).filter(
  ([name, command]) => /^node (?:test|tools|bench|start-dev)\S*\.mjs$/.test(command) && name !== 'test',
);

describe('--help', () => {
  it.each(BUNDLED)(
    'of %s prints the usage and does nothing else',
    async (file) => {
      const directory = temporaryDirectory();
      // Neither valid settings nor a database are required.
      const env = { LOG_LEVEL: 'none' };
      const end = await runCommand(`sqlite:${directory}/none/pets.sqlite`, [file, '--help'], env);
      expect(end).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: npm (?:run|start)/) });
    },
    TIME,
  );

  it.each(OWN)(
    'of npm run %s prints the usage and does nothing else',
    async (_, command) => {
      const [file] = command.split(' ').slice(1);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file!, '--help'], { cwd: ROOT });
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^Usage: (npm run |node bench)/);
    },
    TIME,
  );

  it('is known to every script that runs a program of this repository', () => {
    expect(OWN.map(([name]) => name)).toEqual(
      expect.arrayContaining(['bench', 'contract:client', 'ha:up', 'sbom', 'test:scale']),
    );
  });
});

describe('a command without arguments', () => {
  it.each([
    ['main.js', 'The argument "--port" is unknown; set environment variables to configure the service.'],
    ['commands/migrate.js', "Unknown option '--port'; npm run migrate -- --help lists the options."],
  ])(
    '%s refuses an argument that it would ignore',
    async (file, message) => {
      expect(errorMessageOf(await runCommand(`${temporaryDirectory()}/pets.sqlite`, [file, '--port']))).toBe(message);
    },
    TIME,
  );
});
