import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Tests of processes start `process.execPath`, or one of these by name. */
it.each([
  ['node', ['--print', 'JSON.stringify(process.versions)']],
  ['npm', ['version', '--json']],
])('%s runs on the release of the tests', async (program, args) => {
  const { stdout } = await promisify(execFile)(program, args);
  expect((JSON.parse(stdout) as { node: string }).node).toBe(process.versions.node);
});
