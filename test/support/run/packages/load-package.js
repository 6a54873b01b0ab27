import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** The global symbol of the function by which the modules of the bundle are loaded. */
export const LOAD_PACKAGE = 'pet-store.load-package';

let compiled;

/**
 * Runs the bundle in the context of a test file when the file first imports one of its packages. Each file gets packages of its
 * own, as from Jest; they share only what V8 compiled.
 */
export function installPackages(context, global) {
  let loaders;
  const load = (name, require) => {
    loaders ??= run(context, require);
    return loaders[name]();
  };
  Object.defineProperty(global, Symbol.for(LOAD_PACKAGE), { value: load });
}

/** `require` is Jest's function for a file beside the bundle. */
function run(context, require) {
  compiled ??= compile(join(dirname(require.resolve('typeorm')), 'packages.js'));
  const module = { exports: {} };
  compiled.script.runInContext(context)(module, module.exports, require, compiled.importMeta);
  return module.exports;
}

function compile(filename) {
  // On one line, so that lines in stack traces are those of the file.
  const code = `(function (module, exports, require, importMeta) { ${readFileSync(filename, 'utf8')}\n})`;
  return { script: new Script(code, { filename }), importMeta: { url: pathToFileURL(filename).href } };
}
