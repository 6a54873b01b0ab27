// Copies the files of node_modules that the bundle loads at run time: `node bundle/runtime-packages.mjs TARGET`. Of everything that
// `npm ci --omit=dev` installs, the image needs no more: the rest is in the bundle, or builds the native addon.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that bundle.mjs leaves outside of the bundle, and those that they load. */
const FILES = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib', 'build/Release/better_sqlite3.node'],
  bindings: ['package.json', 'LICENSE.md', 'bindings.js'],
  'file-uri-to-path': ['package.json', 'LICENSE', 'index.js'],
  'swagger-ui-dist': [
    'package.json',
    'LICENSE',
    'NOTICE',
    'favicon-32x32.png',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
  ],
};

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Usage: node bundle/runtime-packages.mjs TARGET');
for (const [name, files] of Object.entries(FILES)) {
  for (const file of files) cpSync(join('node_modules', name, file), join(target, name, file), { recursive: true });
}
