// Bundles the service into one file, and its commands with what they share: `node bundle/bundle.mjs [dist]`. Reading three
// thousand files is half of a start; Node reads one file in a third of the time (docs/performance.md).
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledPackages, noticesOf } from './notices.mjs';

const dist = process.argv[2] ?? 'dist';
const ownFile = (name) => fileURLToPath(new URL(name, import.meta.url));

const USED_DRIVERS = new Set(['better-sqlite3', 'sqlite-abstract', 'postgres', 'types']);

/**
 * TypeORM loads the drivers of all databases that it supports, a ninth of the bundle. Without those that the service never
 * uses, it starts 8 % sooner and takes 2 MB less.
 */
const withoutOtherDrivers = {
  name: 'without-other-drivers',
  setup({ onLoad }) {
    const folder = /typeorm\/driver\/([^/]+)\/[^/]+\.js$/;
    onLoad({ filter: folder }, ({ path }) => (USED_DRIVERS.has(folder.exec(path)[1]) ? undefined : { contents: '' }));
  },
};

/**
 * As soon as one letter is beyond U+00FF, V8 stores the whole source with two bytes per character, which costs 5 MB. esbuild
 * escapes such letters in strings but not in regular expressions. Only these two files have any there, where an escape
 * means the same.
 */
const withEscapedAlphabets = {
  name: 'with-escaped-alphabets',
  setup({ onLoad }) {
    onLoad({ filter: /validator\/lib\/(alpha|isVAT)\.js$/ }, ({ path }) => ({
      contents: escaped(readFileSync(path, 'utf8')),
    }));
  },
};

const escaped = (source) =>
  source.replaceAll(/[^\0-\x7F]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * esbuild leaves out what a module loads by `createRequire`, and says nothing. `PartialType` and its like would then inherit the
 * rules of another copy of class-validator and class-transformer: none. Without that line, esbuild sees the `require` itself.
 */
const OWN_REQUIRE = /^(import \{ createRequire \} from|const require = createRequire\().*$/gm;
const withMappedTypes = {
  name: 'with-mapped-types',
  setup({ onLoad }) {
    onLoad({ filter: /mapped-types\/dist\/type-helpers\.utils\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replaceAll(OWN_REQUIRE, '');
      if (contents.includes('createRequire'))
        throw new Error('bundle/bundle.mjs does not support this version of @nestjs/mapped-types');
      return { contents };
    });
  },
};

/** Modules that may use `createRequire`: a plugin replaces it, or they load what is not in the bundle, or not installed. */
const MAY_REQUIRE = [
  /\/@nestjs\/common\/utils\/load-package\.util\.js$/,
  /\/@nestjs\/mapped-types\/dist\/type-helpers\.utils\.js$/,
  /\/@nestjs\/swagger\/dist\/swagger-ui\/swagger-ui\.js$/,
  /\/pino\/lib\/transport\.js$/,
];

const OPTIONS = {
  plugins: [withMappedTypes, withoutOtherDrivers, withEscapedAlphabets],
  metafile: true,
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Errors, log lines and Nest use the names of classes.
  keepNames: true,
  // Saves a third of the source, which stays in memory. Lines and names remain, so that stack traces stay readable.
  minifyWhitespace: true,
  lineLimit: 120,
  external: [
    // The storage of another release of class-transformer, in case this one has none.
    'class-transformer/storage',
    // A native module, and static files.
    'better-sqlite3',
    'swagger-ui-dist',
    // Optional packages of Nest that are not installed.
    '@fastify/static',
    '@nestjs/microservices',
    '@nestjs/platform-fastify',
    '@nestjs/platform-socket.io',
    '@nestjs/websockets',
  ],
  // Hides the warnings about drivers of other databases, which TypeORM loads only when they are configured.
  logLevel: 'error',
};

/**
 * How esbuild restores the name of a function: each time a closure is created, which would take a third of the time of a
 * request. Only classes need their names, and unlike classes, arrow functions have no prototype. V8 reads that faster than
 * their name.
 */
const NAMING = 'var __name=(target,value)=>__defProp(';
const NAMING_OF_CLASSES = `var __name=(target,value)=>!target.prototype||target.name===value?target:__defProp(`;

const packages = [];
const SERVICE = join(dist, 'service.cjs');
await write({
  entryPoints: [join(dist, 'src/main.js')],
  outfile: SERVICE,
  // A script, because V8 can store what it compiled only of scripts.
  format: 'cjs',
  define: { 'import.meta': 'importMeta' },
  // In a script, Node warns of import(); esbuild makes it a require().
  supported: { 'dynamic-import': false },
});
copyFileSync(ownFile('launch.mjs'), join(dist, 'main.js'));
compile();

const commands = join(dist, 'src/commands');
if (existsSync(commands)) {
  const entryPoints = readdirSync(commands).filter((name) => name.endsWith('.js') && isCommand(join(commands, name)));
  // Chunks have a hash in their name, so those of earlier builds would stay.
  rmSync(join(dist, 'commands'), { recursive: true, force: true });
  await write({
    entryPoints: entryPoints.map((name) => join(commands, name)),
    outdir: join(dist, 'commands'),
    format: 'esm',
    // CommonJS packages load Node's own modules by `require`.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`,
    },
    splitting: true,
    chunkNames: 'shared-[hash]',
  });
}
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages));

async function write(files) {
  const { outputFiles, metafile } = await build({ ...OPTIONS, ...files });
  refuseUnseenPackages(Object.keys(metafile.inputs));
  packages.push(...bundledPackages(metafile));
  const named = outputFiles.filter(({ text }) => text.includes(NAMING));
  if (named.length === 0)
    throw new Error('bundle/bundle.mjs does not support how this version of esbuild names functions');
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const renamed = text.replace(NAMING, NAMING_OF_CLASSES);
    if (path.endsWith('.cjs')) writeScript(path, renamed);
    else writeFileSync(path, renamed);
  }
}

function refuseUnseenPackages(inputs) {
  const unseen = inputs
    .filter((path) => path.includes('node_modules/') && !MAY_REQUIRE.some((module) => module.test(path)))
    .filter((path) => existsSync(path) && /\bcreateRequire\s*\(/.test(readFileSync(path, 'utf8')));
  if (unseen.length > 0)
    throw new Error(
      `esbuild does not see the packages that ${unseen.join(' and ')} loads by createRequire; in bundle/bundle.mjs, replace that call by a plugin, or add the file to MAY_REQUIRE.`,
    );
}

/** As launch.mjs reads it. */
function writeScript(path, text) {
  const letter = /[^\0-\xFF]/u.exec(text)?.[0];
  writeFileSync(path, letter === undefined ? text : `\ufeff${text}`, letter === undefined ? 'latin1' : 'utf8');
  if (letter === undefined) return;
  process.stderr.write(
    `The service takes 5 MB more, because of letters beyond U+00FF such as ${letter}; write them in strings, or in regular expressions as \\uXXXX.\n`,
  );
}

/** With the flags of production: V8 uses nothing that was compiled with others. */
function compile() {
  const { scripts } = JSON.parse(readFileSync(ownFile('../package.json'), 'utf8'));
  const flags = scripts['start:prod'].split(' ').filter((word) => word.startsWith('--'));
  rmSync(`${SERVICE}.compiled`, { force: true });
  execFileSync(process.execPath, [...flags, ownFile('compile.mjs'), dist, '--help'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The other files of the folder are parts of a command. */
function isCommand(file) {
  return /^await runCommand\(/m.test(readFileSync(file, 'utf8'));
}
