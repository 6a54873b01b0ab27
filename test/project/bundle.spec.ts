import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/built-service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const CLASS = 'export default class Pet {}';

/** Bundles a main.js with the given text. */
function bundle(text: string, directory = temporaryDirectory()): Promise<{ stderr: string }> {
  const dist = join(directory, 'dist');
  mkdirSync(join(dist, 'src'), { recursive: true });
  writeFileSync(join(dist, 'src/main.js'), text);
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return run(process.execPath, [join(ROOT, 'bundle.mjs'), dist]);
}

describe('bundle.mjs', () => {
  it('succeeds when its replacement applies', async () => {
    await expect(bundle(CLASS)).resolves.toMatchObject({ stderr: '' });
  });

  it('leaves out the drivers of databases that the service never uses', async () => {
    const directory = temporaryDirectory();
    await bundle(`export * as typeorm from 'typeorm';\n${CLASS}`, directory);
    const drivers = readFileSync(join(directory, 'dist/main.js'), 'utf8').match(
      /\b[A-Za-z0-9]+QueryRunner(?==class\b)/g,
    );
    expect(new Set(drivers)).toEqual(
      new Set(['BaseQueryRunner', 'AbstractSqliteQueryRunner', 'BetterSqlite3QueryRunner', 'PostgresQueryRunner']),
    );
  });

  describe('with letters beyond U+00FF, for which V8 would store the source with two bytes per character', () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'dist/main.js');
    beforeAll(() => bundle(`export { default as validator } from 'validator';\n${CLASS}`, directory));

    it('contains none of them', () => {
      expect(readFileSync(file, 'utf8').match(/[^\0-\xFF]/g)).toBeNull();
    });

    it.each([
      ["isAlpha('Жив', 'sr-RS')", true],
      ["isAlpha('Zhiv', 'sr-RS')", false],
      ["isVAT('УНП 123456789', 'BY')", true],
      ["isVAT('УНХ 123456789', 'BY')", false],
    ])('still recognises them: %s is %s', async (call, expected) => {
      const script = `import { validator } from ${JSON.stringify(file)}; console.log(validator.${call});`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
      expect(stdout).toBe(`${expected}\n`);
    });
  });

  it('fails when esbuild does not restore names as expected', async () => {
    const withoutClasses = 'export default 1;';
    await expect(bundle(withoutClasses)).rejects.toThrow(
      'bundle.mjs does not support how this version of esbuild names functions',
    );
  });
});
