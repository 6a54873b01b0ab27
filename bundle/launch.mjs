// Becomes dist/main.js: starts service.cjs with what V8 compiled of it during the build, which saves a fifth of a start. Without
// that, or with another release of Node or other flags of V8, V8 compiles it now.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const UTF8_MARK = Buffer.from('\ufeff');

export const script = load(join(import.meta.dirname, 'service.cjs'));

script.runInThisContext()(createRequire(import.meta.url), import.meta);

function load(filename) {
  const source = readFileSync(filename);
  // Node would decode UTF-8 to two bytes per character; the build chooses it only for letters beyond U+00FF, and marks it.
  const text = source.indexOf(UTF8_MARK) === 0 ? source.utf8Slice(UTF8_MARK.length) : source.latin1Slice();
  return new Script(`(function (require, importMeta) {${text}\n})`, {
    filename,
    cachedData: compiledOf(filename, source),
  });
}

/** V8 itself would only compare the length of the source, and run damaged code. */
function compiledOf(filename, source) {
  try {
    const file = readFileSync(`${filename}.compiled`);
    const data = file.subarray(0, -4);
    return file.readUInt32LE(data.length) === crc32(data, crc32(source)) ? data : undefined;
  } catch {
    return undefined;
  }
}
