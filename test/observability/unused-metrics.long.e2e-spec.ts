import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, startService, stopService, temporaryDirectory } from '../support/built-service.js';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

/**
 * The modules of prom-client that the service ran between its start and its end. In the bundle, each is a function with the
 * name of its file, and V8 counts its calls.
 */
async function modulesRunWith(env: Environment): Promise<string[]> {
  const directory = temporaryDirectory();
  const service = await startService(join(directory, 'pets.sqlite'), { ...env, NODE_V8_COVERAGE: directory });
  expect((await service.api.get('/v1/pets')).status).toBe(200);
  await stopService(service);
  return readdirSync(directory)
    .filter((file) => /^coverage-.*\.json$/.test(file))
    .flatMap((file) => (JSON.parse(readFileSync(join(directory, file), 'utf8')) as Coverage).result)
    .flatMap(({ functions }) => functions)
    .filter(({ functionName, ranges }) => /\/prom-client\/.*\.js$/.test(functionName) && ranges[0]!.count > 0) // Of the whole function.
    .map(({ functionName }) => functionName);
}

it('prom-client is loaded with ADMIN_PORT, and not without', async () => {
  expect(await modulesRunWith({ ADMIN_PORT: '0' })).toContainEqual(expect.stringMatching(/prom-client\/index\.js$/));
  expect(await modulesRunWith({})).toEqual([]);
}, 120_000);
