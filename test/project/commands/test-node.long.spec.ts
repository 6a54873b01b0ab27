import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../support/built-service.js';

const COMMAND = fileURLToPath(new URL('../../node/run.mjs', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const VERSION = '30.1.0';

/** A release whose program is in fact the release of this test. */
function packImpostor(): Buffer {
  const folder = temporaryDirectory();
  const write = (file: string, text: string, mode = 0o644): void => {
    mkdirSync(join(folder, 'package', file, '..'), { recursive: true });
    writeFileSync(join(folder, 'package', file), text, { mode });
  };
  write('package.json', JSON.stringify({ name: PACKAGE, version: VERSION }));
  write('bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755);
  write('include/node/node_object_wrap.h', '');
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'package.tgz'));
}

let registry: Server;
let address: string;

beforeAll(async () => {
  const tarball = packImpostor();
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  registry = createServer(({ url }, response) => {
    if (url === '/package.tgz') response.end(tarball);
    else {
      const dist = { tarball: `${address}/package.tgz`, integrity };
      const versions = { [VERSION]: { name: PACKAGE, version: VERSION, dist } };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name: PACKAGE, 'dist-tags': { latest: VERSION }, versions }));
    }
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});

afterAll(() => void registry.close());

/** Runs the command with this registry only. Checks that nothing remains of it. */
async function testNode(release: string, npm_config_registry = address) {
  const home = temporaryDirectory();
  const TMPDIR = join(home, 'tmp');
  mkdirSync(TMPDIR);
  const npm = { npm_config_registry, npm_config_cache: join(home, 'cache'), npm_config_fetch_retries: '0' };
  const env = { ...process.env, ...npm, TMPDIR };
  const end = await promisify(execFile)(process.execPath, [COMMAND, release], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
  expect(readdirSync(TMPDIR)).toEqual([]);
  return { ...end, stderr: end.stderr.trimEnd() };
}

describe('npm run test:node', () => {
  it('refuses a release that npm does not have', async () => {
    expect(await testNode('29')).toEqual({
      code: 2,
      stdout: 'Installing Node 29 …\n',
      stderr: `npm has no release 29 of Node for ${process.platform} on ${process.arch}.`,
    });
  });

  it('reports in one sentence that npm does not reach its registry', async () => {
    const { code, stderr } = await testNode('30', 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^npm could not install ${PACKAGE}@30: [^\n]*ECONNREFUSED[^\n]*$`));
  });

  it('runs no test when a program would run on another release', async () => {
    const own = process.versions.node;
    expect(await testNode('30')).toEqual({
      code: 1,
      stdout: 'Installing Node 30 …\n',
      stderr: `Not all programs run on Node ${VERSION}: node runs on ${own}, npm runs on ${own}.`,
    });
  });
});
