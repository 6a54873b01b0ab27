import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version } from 'esbuild';
import { LOAD_PACKAGE } from './load-package.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/test-packages');

/**
 * Packages of two thousand modules. Jest would find, read, compile and link each again for every test file, which is half of the
 * processor time to load the service. They become one script, which V8 compiles once in each worker.
 */
const PACKAGES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/mapped-types',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  'class-transformer',
  'class-validator',
  'express',
  'pg',
  'rxjs',
  'typeorm',
  'yaml',
];

/** What `@nestjs/mapped-types` loads by `createRequire`, which no source shows. */
const UNSEEN = ['class-transformer/cjs/storage'];

const OUTSIDE = [
  // A native module, and the one that changes a global object.
  'better-sqlite3',
  'reflect-metadata',
  // Optional packages that are not installed, or that only the benchmark uses.
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  '@nestjs/platform-socket.io',
  '@nestjs/websockets',
];

/** A package, or a module in it. Its package.json is not a module. */
const NAME = `(?:${PACKAGES.join('|')})(?:/(?!package\\.json$)[\\w./-]+)?`;
const QUOTED = new RegExp(`(['"])(${NAME})\\1`, 'g');

/**
 * For `moduleNameMapper`: each import of these packages, by the service, the tests or another package, gets the module of the
 * bundle. A second copy of a class would break `instanceof` and decorators. So a module that the bundle lacks is an error of
 * Jest, until the next run finds its name in the sources.
 */
export async function mapPackages() {
  return { [`^(${NAME})$`]: `${await bundlePackages()}/$1.cjs` };
}

/** Bundles the packages, unless a run did so since they changed. Returns the folder of the bundle. */
async function bundlePackages() {
  const names = importedNames();
  const hash = createHash('sha256').update(version).update(names.join());
  for (const file of ['package-lock.json', 'test/support/run/packages/bundle-packages.js'])
    hash.update(readFileSync(join(ROOT, file)));
  const folder = join(CACHE, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  try {
    await writeBundle(names, draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The packages, and the modules in them that a source names. */
function importedNames() {
  const found = ['src', 'test', 'client', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[jt]s$/.test(file))
      .flatMap((file) => [...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(QUOTED)])
      .map(([, , name]) => name),
  );
  return [...new Set([...PACKAGES, ...UNSEEN, ...found])].toSorted();
}

/** As in bundle/bundle.mjs: naming each function when its closure is created would take much of the time of a request. */
const NAMING = 'var __name = (target, value) => __defProp(';
const NAMING_OF_CLASSES = `var __name = (target, value) => !target.prototype || target.name === value ? target : __defProp(`;

async function writeBundle(names, folder) {
  const loaders = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = { ${loaders.join(', ')} };`, resolveDir: ROOT },
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // As a script: V8 shares what it compiled of scripts, but not of modules.
    format: 'cjs',
    define: { 'import.meta': 'importMeta' },
    supported: { 'dynamic-import': false },
    external: OUTSIDE,
    // Errors, log lines and Nest use the names of classes.
    keepNames: true,
    // Hides the warnings about drivers of other databases, which TypeORM loads only when they are configured.
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'packages.js'), outputFiles[0].text.replace(NAMING, NAMING_OF_CLASSES));
  for (const name of names) {
    const file = join(folder, `${name}.cjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `module.exports = globalThis[Symbol.for('${LOAD_PACKAGE}')]('${name}', require);\n`);
  }
}
