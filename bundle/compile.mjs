// Stores what V8 compiles of the service when it runs: `node FLAGS bundle/compile.mjs DIST --help`. Printing the help takes no
// port, no database and no native addon, and compiles all modules, which is most of a start.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';

const [dist] = process.argv.splice(2, 1);
const file = join(dist, 'service.cjs');

const { script } = await import(pathToFileURL(resolve(dist, 'main.js')).href);

process.once('exit', () => {
  const data = script.createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(data, crc32(readFileSync(file))));
  writeFileSync(`${file}.compiled`, Buffer.concat([data, sum]));
});
