import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = 'docs/example/orders';
const PATCH = join(ROOT, EXAMPLE, 'registration.patch');

/** Whether somebody has followed the page here. Its own test does, in a copy. */
const isApplied = existsSync(join(ROOT, 'src/orders'));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** `npm run test:example` runs every command; this finds in a second what would stop it. */
describe('the example of docs/adding-a-group.md', () => {
  it('registers its module, entities and migration with a patch that fits', () => {
    const folder = temporaryDirectory();
    for (const file of ['src/app.module.ts', 'src/data-source.ts']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      copyFileSync(join(ROOT, file), join(folder, file));
    }
    const args = ['apply', ...(isApplied ? ['--reverse'] : []), PATCH];
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
    expect(() => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' })).not.toThrow();
  });

  it('shows what that patch changes beside imports', () => {
    const changed = (text: string) => text.split('\n').filter((line) => /^[+-](?![+-]|import )/.test(line));
    const blocks = [...read('docs/adding-a-group.md').matchAll(/```diff\n(.*?)```/gs)].map(([, block]) => block!);
    expect(blocks.flatMap(changed)).toEqual(changed(readFileSync(PATCH, 'utf8')));
  });

  it('inserts operations that the service accepts', () => {
    const folder = temporaryDirectory();
    const contract = join(folder, 'openapi.yaml');
    copyFileSync(join(ROOT, 'openapi.yaml'), contract);
    const command = join(ROOT, 'docs/example/insert.mjs');
    if (!isApplied) execFileSync(process.execPath, [command, join(ROOT, EXAMPLE, 'openapi.yaml')], { cwd: folder });
    const ids = readContract(contract).operations.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['listOrders', 'createOrder', 'getOrder', 'changeOrder', 'deleteOrder', 'shipOrder']),
    );
  });
});
