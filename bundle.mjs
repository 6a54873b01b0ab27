// Makes one file of the service: `node bundle.mjs [dist]`. Node reads one file in a third of the time of three thousand,
// and half of a start is reading: docs/performance.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const dist = process.argv[2] ?? 'dist';

/** @nestjs/typeorm asks at start for two classes that TypeORM 1 no longer has, and loads all of TypeORM a second time. */
const withoutSecondTypeorm = {
  name: 'without-second-typeorm',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@nestjs[\\/]typeorm[\\/].*typeorm-compat\.js$/ }, () => ({
      contents: 'export const Connection = undefined; export const AbstractRepository = undefined;',
    })),
};

const { outputFiles } = await build({
  write: false,
  entryPoints: [join(dist, 'src/main.js')],
  outfile: join(dist, 'main.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Errors, log lines and Nest go by the names of classes.
  keepNames: true,
  // Two thirds of the source, which stays in memory; with lines and names for those who read a stack.
  minifyWhitespace: true,
  lineLimit: 120,
  external: [
    // A native module, and files that are served as they are.
    'better-sqlite3',
    'swagger-ui-dist',
    // Packages that Nest looks for and does without.
    '@fastify/static',
    '@nestjs/microservices',
    '@nestjs/platform-fastify',
    '@nestjs/platform-socket.io',
    '@nestjs/websockets',
  ],
  plugins: [withoutSecondTypeorm],
  // CommonJS packages ask for Node's own modules by `require`.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`,
  },
  // The drivers of other databases, which TypeORM asks for only when they are configured.
  logLevel: 'error',
});

/**
 * How esbuild gives a function the name it had. It would do so for each closure whenever one is made, which is a third of
 * the time of a request. What needs its name is a class: an arrow function has no prototype.
 */
const NAMING = 'var __name=(target,value)=>__defProp(';
const NAMING_OF_CLASSES = `var __name=(target,value)=>target.name===value||!target.prototype?target:__defProp(`;

/**
 * What esbuild leaves as it is: above all, letters of other alphabets in regular expressions. An escape means the same in
 * all but the raw text of a tagged template, which no dependency has, and behind a backslash, which is looked for.
 */
const NOT_ASCII = /[^\u0000-\u007f]/g;
const ESCAPED_NOT_ASCII = /\\[^\u0000-\u007f]/;
const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const [{ path, text }] = outputFiles;
if (!text.includes(NAMING)) throw new Error('bundle.mjs does not support how this version of esbuild names functions');
if (ESCAPED_NOT_ASCII.test(text)) throw new Error('bundle.mjs cannot escape a character after a backslash');
// One letter that is not Latin makes V8 keep two bytes for each character of the file, which are five megabytes.
writeFileSync(path, text.replace(NAMING, NAMING_OF_CLASSES).replace(NOT_ASCII, escape));
