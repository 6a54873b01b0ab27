import { beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, errorMessageOf, spawnProcess } from '../../support/built-service.js';

let module: string;

beforeAll(async () => {
  module = pathToFileURL(join(await build(), 'dist/src/platform/process/run-command.js')).href;
}, 600_000);

it.each([
  ['waits for a promise that never settles', 'new Promise(() => {})', 1],
  ['has done its work', 'Promise.resolve()', 0],
])('a command that %s says so in its exit code', async (_, work, code) => {
  const script = `import { runCommand } from '${module}'; void runCommand('Usage', () => ${work});`;
  const { output, exit } = spawnProcess(process.execPath, ['--input-type=module', '-e', script], { env: {} });
  const end = { ...(await exit), ...output };
  if (code === 0) expect(end).toEqual({ code, signal: null, stdout: '', stderr: '' });
  else {
    expect(errorMessageOf(end)).toBe(
      'A promise never settles, for which the command waits; look in the hooks and factories of modules.',
    );
  }
});
