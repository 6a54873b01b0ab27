import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { temporaryDirectory } from '../../support/built-service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = 'docs/example/orders';
const PATCH = join(ROOT, EXAMPLE, 'registration.patch');

/** Whether somebody has followed the page here. Its own test does, in a copy. */
const isApplied = existsSync(join(ROOT, 'src/orders'));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The patch fits the service without other groups: with them, its lines look different. */
const itWithoutOthers = /FEATURES: .*= \[(OrdersModule, )?PetsModule\];/.test(read('src/app.module.ts')) ? it : it.skip;

/** `npm run test:example` runs every command; this finds in a second what would stop it. */
describe('the example of docs/adding-a-group.md', () => {
  itWithoutOthers('registers its module, entities and migration with a patch that fits', () => {
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

  /** The contract after a fragment is inserted, or the error of the command. */
  function insert(fragment: string): { status: number | null; stderr: string; contract: string } {
    const folder = temporaryDirectory();
    copyFileSync(join(ROOT, 'openapi.yaml'), join(folder, 'openapi.yaml'));
    writeFileSync(join(folder, 'fragment.yaml'), fragment);
    const args = [join(ROOT, 'docs/example/insert.mjs'), 'fragment.yaml'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, stderr, contract: join(folder, 'openapi.yaml') };
  }

  it('inserts each section of the components, also without tags and paths', () => {
    const sections = {
      parameters: { Size: { name: 'size', in: 'query', schema: { type: 'integer' } } },
      headers: { Total: { schema: { type: 'integer' } } },
      examples: { Small: { value: 1 } },
      requestBodies: { Size: { content: { 'application/json': { schema: { type: 'integer' } } } } },
    };
    const { status, stderr, contract } = insert(stringify({ components: sections }));
    expect([status, stderr]).toEqual([0, '']);
    expect(readContract(contract).document).toMatchObject({ components: sections });
  });

  it.each([
    [
      'a part of another kind',
      'security: []\n',
      'The part security cannot be inserted; change it in openapi.yaml by hand.',
    ],
    ['a part in one line', 'tags: [{ name: a }]\n', 'The part tags must have its entries in lines of their own.'],
    [
      'an empty part',
      'components:\n  schemas:\n',
      'The part components.schemas must have its entries in lines of their own.',
    ],
  ])('refuses %s in one sentence, and changes nothing', (_, fragment, sentence) => {
    const { status, stderr, contract } = insert(fragment);
    expect([status, stderr]).toEqual([1, `${sentence}\n`]);
    expect(readFileSync(contract, 'utf8')).toBe(read('openapi.yaml'));
  });
});
