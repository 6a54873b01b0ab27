import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startApp } from '../support/start-app.js';

interface Step {
  readonly command: string;
  readonly output: string;
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The console sessions of the README: `$ command`, followed by its output. */
const sessions = [...readme.matchAll(/```console\n(.*?)```/gs)].map(([, session]) =>
  session!
    .split(/^\$ /m)
    .slice(1)
    .map((step): Step => {
      const [command, ...output] = step.trimEnd().split('\n');
      return { command: command!, output: output.join('\n') };
    }),
);
const session = sessions.find((steps) => steps[0]!.command.startsWith('KEY='))!;

const MARK = '--- next ---';

async function run(commands: readonly string[]): Promise<string[]> {
  const script = commands.map((command) => `${command}\necho; echo '${MARK}'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  // Lines of an HTTP header end with a carriage return, which the README omits.
  return stdout.split(MARK).map((output) => output.replaceAll('\r', '').trim());
}

describe('README', () => {
  it('opens with the commands that start and test the service', () => {
    expect(sessions[0]!.map(({ command }) => command)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  it('names the same Node versions as package.json', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      engines: { node: string };
    };
    const [, versions] = /Both require\s+Node:\s+(.*?)\. /s.exec(readme)!;
    expect(versions!.match(/\d+\.\d+/g)).toEqual(engines.node.match(/\d+\.\d+(?=\.0)/g));
  });

  it('shows a session with its actual output', async () => {
    const service = await startApp();
    const outputs = await run(
      session.map(({ command }) =>
        command.replace(/^KEY=.*/, `KEY=${service.key}`).replace('http://localhost:3000', service.baseUrl),
      ),
    );
    const shown = session.map(({ command }, index) => ({ command, output: outputs[index] }));
    expect(shown).toEqual(session);
  });
});
