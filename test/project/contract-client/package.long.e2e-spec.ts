import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { temporaryDirectory } from '../../support/built-service.js';
import { startApp } from '../../support/start-app.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const readme = read('client/README.md');
const [, example] = /```ts\n(.*?)```/s.exec(readme)!;
const [, session] = /```console\n(.*?)```/s.exec(readme)!;

describe('the folder client', () => {
  let copy: string;

  // A copy: the commands write into the repository.
  beforeAll(async () => {
    copy = temporaryDirectory();
    for (const name of ['client', 'tools', 'openapi.yaml', 'package.json', '.prettierrc'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('/dist') });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');

    const packages = join(copy, 'caller/node_modules');
    mkdirSync(join(packages, 'pet-store-client'), { recursive: true });
    for (const line of session!.trim().split('\n')) await run('bash', ['-c', line.replace(/^\$ /, '')], { cwd: copy });
    const archive = readdirSync(copy).find((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(copy, archive!), '--strip-components=1', '-C', join(packages, 'pet-store-client')]);
    writeFileSync(join(copy, 'caller/package.json'), '{"type":"module"}');
    writeFileSync(join(copy, 'caller/caller.ts'), example!);
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, lib: ['es2023', 'dom'], types: [] };
    writeFileSync(join(copy, 'caller/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['caller.ts'] }));
  });

  it('packs compiled files only, with the version of the contract and without dependencies', () => {
    const files = readdirSync(join(copy, 'caller/node_modules/pet-store-client'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(files.filter((name) => !/^dist(\/[a-z-.]+\.(js|d\.ts))?$/.test(name)).toSorted()).toEqual([
      'README.md',
      'package.json',
    ]);
    const { version, dependencies } = JSON.parse(read('client/package.json')) as Record<string, unknown>;
    const { info } = parse(read('openapi.yaml')) as { info: { version: string } };
    expect({ version, dependencies }).toEqual({ version: info.version, dependencies: undefined });
  });

  it('runs the example of its README against the service', async () => {
    const { baseUrl, key } = await startApp();
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(copy, 'caller')]);
    const file = join(copy, 'caller/caller.js');
    writeFileSync(file, readFileSync(file, 'utf8').replace('http://localhost:3000', baseUrl).replace('pets_...', key));
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout).toBe('1n /v1/pets/1\nAda 9223372036854775807n\n');
  });

  it('imports neither the service nor a package', () => {
    const sources = readdirSync(join(ROOT, 'client/src')).map((name) => read(`client/src/${name}`));
    const imports = sources.flatMap((text) => [...text.matchAll(/from '(.*?)'/g)].map(([, name]) => name!));
    expect(imports.filter((name) => !/^\.\/[a-z0-9.-]+\.js$/.test(name))).toEqual([]);
  });
});
