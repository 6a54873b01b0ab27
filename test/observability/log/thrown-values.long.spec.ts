import { beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, spawnProcess } from '../../support/built-service.js';

let module: string;

beforeAll(async () => {
  module = pathToFileURL(join(await build(), 'dist/src/platform/process/logger.js')).href;
}, 600_000);

it.each<[string, string, object]>([
  ['a text', `'boom'`, { message: 'boom' }],
  ['nothing', 'String(undefined)', { message: 'undefined' }],
  ['an object with a message', `{ statusCode: 404, message: 'plain', key: 'secret' }`, { message: 'plain' }],
  ['an object without a message', `{ statusCode: 404 }`, { message: 'an object without a message' }],
  ['an object without a prototype', 'Object.create(null)', { message: 'an object without a message' }],
])('the log names what was thrown when it is no Error: %s', async (_, thrown, err) => {
  const script = `import { createLogger } from '${module}'; createLogger('info').error({ err: ${thrown} }, 'It failed.', 'Toys');`;
  const { output, exit } = spawnProcess(process.execPath, ['--input-type=module', '-e', script], { env: {} });
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(JSON.parse(output.stderr)).toMatchObject({ level: 50, context: 'Toys', msg: 'It failed.', err });
});
