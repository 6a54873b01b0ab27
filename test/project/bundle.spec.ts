import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/built-service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEST_TYPEORM = "import '@nestjs/typeorm';";
const CLASS = 'export default class Pet {}';

/** Bundles a main.js with the given text. */
function bundle(text: string): Promise<{ stderr: string }> {
  const directory = temporaryDirectory();
  const dist = join(directory, 'dist');
  mkdirSync(join(dist, 'src'), { recursive: true });
  writeFileSync(join(dist, 'src/main.js'), text);
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return promisify(execFile)(process.execPath, [join(ROOT, 'bundle.mjs'), dist]);
}

describe('bundle.mjs', () => {
  it('succeeds when both of its replacements apply', async () => {
    await expect(bundle(NEST_TYPEORM)).resolves.toMatchObject({ stderr: '' });
  });

  it('fails when @nestjs/typeorm lacks the file to replace', async () => {
    await expect(bundle(CLASS)).rejects.toThrow(
      '@nestjs/typeorm has 0 files typeorm-compat.js; bundle.mjs expects one',
    );
  });

  it('fails when esbuild does not restore names as expected', async () => {
    const compat = "import '../../node_modules/@nestjs/typeorm/dist/common/typeorm-compat.js';";
    await expect(bundle(compat)).rejects.toThrow(
      'bundle.mjs does not support how this version of esbuild names functions',
    );
  });
});
