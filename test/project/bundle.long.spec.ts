import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/built-service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const CLASS = 'globalThis.Pet = class Pet {};';

/** Bundles a main.js with the given text, and `files` beside it. Returns what the bundle consists of. */
async function bundle(text: string, files: Readonly<Record<string, string>> = {}) {
  const directory = temporaryDirectory();
  const dist = join(directory, 'dist');
  for (const [name, content] of Object.entries({ 'src/main.js': text, ...files })) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), content);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const { stderr } = await run(process.execPath, [join(ROOT, 'bundle/bundle.mjs'), dist]);
  return {
    stderr,
    main: join(dist, 'main.js'),
    service: join(dist, 'service.cjs'),
    notices: readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8'),
    compiled: join(dist, 'service.cjs.compiled'),
  };
}

/** What a bundle prints, with the flags of `npm run start:prod`. */
async function printed(main: string, ...flags: string[]): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { 'start:prod': string };
  };
  const words = scripts['start:prod'].split(' ').filter((word) => word.startsWith('--'));
  return (await run(process.execPath, [...words, ...flags, main])).stdout;
}

describe('bundle/bundle.mjs', () => {
  it('leaves out the drivers of databases that the service never uses', async () => {
    const { service } = await bundle(`import 'typeorm';\n${CLASS}`);
    const drivers = readFileSync(service, 'latin1').match(/\b[A-Za-z0-9]+QueryRunner(?==class\b)/g);
    expect(new Set(drivers)).toEqual(
      new Set(['BaseQueryRunner', 'AbstractSqliteQueryRunner', 'BetterSqlite3QueryRunner', 'PostgresQueryRunner']),
    );
  });

  it('keeps letters in regular expressions of libraries', async () => {
    const calls = [
      ["isAlpha('Жив', 'sr-RS')", true],
      ["isAlpha('Zhiv', 'sr-RS')", false],
      ["isVAT('УНП 123456789', 'BY')", true],
      ["isVAT('УНХ 123456789', 'BY')", false],
      ["isLicensePlate('LÖ AB 12', 'de-DE')", true],
    ] as const;
    const text = `import validator from 'validator';\nconsole.log(${calls.map(([call]) => `validator.${call}`).join()});`;
    const { main, stderr } = await bundle(`${text}\n${CLASS}`);
    // V8 would store letters beyond U+00FF, and with them the whole source, with two bytes per character.
    expect(stderr).toBe('');
    expect(await printed(main)).toBe(`${calls.map(([, expected]) => expected).join(' ')}\n`);
  });

  it('keeps letters beyond U+00FF in regular expressions of the service, and says what they cost', async () => {
    const { main, stderr } = await bundle(`console.log(/^[А-Я]é$/.test('Жé'), String.raw\`– \${0}\`);\n${CLASS}`);
    expect(stderr).toBe(
      'The service takes 5 MB more, because of letters beyond U+00FF such as А; write them in strings, or in regular expressions as \\uXXXX.\n',
    );
    expect(await printed(main)).toBe('true – 0\n');
  });

  it('lets PartialType and its like inherit rules and conversions, without the packages beside it', async () => {
    const text = `
      import 'reflect-metadata';
      import { PickType } from '@nestjs/swagger';
      import { plainToInstance, Transform } from 'class-transformer';
      import { getMetadataStorage, IsString } from 'class-validator';
      class Pet {}
      IsString()(Pet.prototype, 'name');
      Transform(({ value }) => value.trim())(Pet.prototype, 'name');
      class NewPet extends PickType(Pet, ['name']) {}
      const rules = getMetadataStorage().getTargetValidationMetadatas(NewPet, '', false, false);
      console.log(JSON.stringify([plainToInstance(NewPet, { name: ' Rex ' }), rules.map(({ name }) => name)]));`;
    const { main } = await bundle(text);
    rmSync(join(dirname(main), '../node_modules'));
    expect(await printed(main)).toBe('[{"name":"Rex"},["isString"]]\n');
  });

  it('fails when a library loads packages that esbuild does not see', async () => {
    const library = `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('pg');`;
    const bundled = bundle(`import 'library';\n${CLASS}`, { 'src/node_modules/library/index.js': library });
    await expect(bundled).rejects.toThrow(
      /esbuild does not see the packages that \S+node_modules\/library\/index\.js loads by createRequire;/,
    );
  });

  describe('with packages', () => {
    /** A package that is in the bundle. */
    const packageOf = (name: string, files: Readonly<Record<string, string>>, version = '1.2.3') => {
      const all = {
        'package.json': JSON.stringify({ name, version }),
        'index.js': `console.log('${name}');`,
        ...files,
      };
      return Object.fromEntries(Object.entries(all).map(([file, text]) => [`src/node_modules/${name}/${file}`, text]));
    };
    const RULE = `\n${'-'.repeat(80)}\n\n`;

    it('lists the licence texts of those that it contains, and of no others', async () => {
      const chapter = 'Copyright Ada\n\nPermission is hereby granted, free of charge.';
      const files = {
        ...packageOf('@b/one', { 'LICENSE.md': '\ufeffOne\r\nlicence\r\n', NOTICE: 'One notice' }),
        ...packageOf('a', { 'README.md': `# A\n\n## License\n\n${chapter}\n` }, '2.0.0'),
        ...packageOf('unused', { LICENSE: 'Unused', 'index.js': 'export const a = 1;' }),
        'src/node_modules/a/node_modules/c/package.json': '{"name":"c","version":"3.0.0"}',
        'src/node_modules/a/node_modules/c/index.js': "console.log('c');",
        'src/node_modules/a/node_modules/c/COPYING': 'C',
        'src/node_modules/a/index.js': `import 'c';\nconsole.log('a');`,
      };
      const { notices } = await bundle(`import 'a';\nimport '@b/one';\nimport { a } from 'unused';\n${CLASS}`, files);
      const one = '@b/one 1.2.3\n\nOne\nlicence\n\nOne notice\n';
      expect(notices).toBe([one, `a 2.0.0\n\n${chapter}\n`, 'c 3.0.0\n\nC\n'].join(RULE));
    });

    it('fails when one has no licence text, and says where to put it', async () => {
      await expect(bundle(`import 'mute';\n${CLASS}`, packageOf('mute', {}))).rejects.toThrow(
        /The package mute has no licence text; copy it from its repository to \S+bundle\/licences\/mute\.txt\./,
      );
    });

    it('has the licence of TypeORM, whose package has none', async () => {
      const { notices } = await bundle(`import 'typeorm';\n${CLASS}`);
      expect(notices).toMatch(
        /^typeorm \d+\.\d+\.\d+\n\nThe MIT License\n\nCopyright .*\n\nPermission is hereby granted/m,
      );
      // Neither depends on the machine.
      expect(notices).not.toContain(ROOT);
    });
  });

  describe('with what V8 compiles during the build', () => {
    /** Prints a word that is as long as the others. */
    const saying = (word: string) => `function say() { console.log('${word}'); }\nsay();\n${CLASS}`;

    it('starts with that', async () => {
      const { main } = await bundle(saying('one'));
      const script = `const { script } = await import(${JSON.stringify(main)}); console.log(script.cachedDataRejected);`;
      writeFileSync(`${main}.mjs`, script);
      expect(await printed(`${main}.mjs`)).toBe('one\nfalse\n');
    });

    it('starts without it', async () => {
      const { main, compiled } = await bundle(saying('one'));
      rmSync(compiled);
      expect(await printed(main)).toBe('one\n');
    });

    it('starts with other flags', async () => {
      const { main } = await bundle(saying('one'));
      expect(await printed(main, '--max-lazy')).toBe('one\n');
    });

    it('starts when it is of another source with the same length', async () => {
      const { main, service } = await bundle(saying('one'));
      writeFileSync(service, readFileSync(service, 'latin1').replace('one', 'two'), 'latin1');
      expect(await printed(main)).toBe('two\n');
    });

    it.each([0, 1, 2, 3].map((quarter) => quarter / 4))(
      'starts when it is damaged after %d of its bytes',
      async (part) => {
        const { main, compiled } = await bundle(saying('one'));
        const bytes = readFileSync(compiled);
        const start = Math.floor(bytes.length * part);
        bytes.fill(0xaa, start, start + 64);
        writeFileSync(compiled, bytes);
        expect(await printed(main)).toBe('one\n');
      },
    );
  });

  it('fails when esbuild does not restore names as expected', async () => {
    const withoutClasses = 'void 1;';
    await expect(bundle(withoutClasses)).rejects.toThrow(
      'bundle/bundle.mjs does not support how this version of esbuild names functions',
    );
  });
});
