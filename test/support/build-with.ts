import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, temporaryDirectory } from './built-service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Copies the build without its packages. */
async function copyBuild(): Promise<{ original: string; copy: string }> {
  const original = await build();
  const copy = join(temporaryDirectory(), 'build');
  for (const part of ['dist', 'openapi.yaml', 'package.json']) {
    cpSync(join(original, part), join(copy, part), { recursive: true });
  }
  return { original, copy };
}

/** Copies the build with one changed package. Returns its folder. */
export async function buildWithPackage(name: string, change: (folder: string) => void): Promise<string> {
  const { original, copy } = await copyBuild();
  const packages = realpathSync(join(original, 'node_modules'));
  mkdirSync(join(copy, 'node_modules'));
  for (const other of readdirSync(packages).filter((entry) => entry !== name)) {
    symlinkSync(join(packages, other), join(copy, 'node_modules', other), 'junction');
  }
  const folder = join(copy, 'node_modules', name);
  cpSync(join(packages, name), folder, { recursive: true });
  change(folder);
  return copy;
}

/** Copies the build with additional migrations: their names, and the code that declares these classes. Returns its folder. */
export async function buildWithMigrations(migrations: readonly string[], code: string): Promise<string> {
  const { original, copy } = await copyBuild();
  symlinkSync(join(original, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const file = join(copy, 'dist/src/data-source.js');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(/migrations: \[([^\]]+)\]/, `migrations: [$1, ${migrations.join(', ')}]`);
  if (changed === source) throw new Error('data-source.js lists no migrations');
  writeFileSync(file, `${code}${changed}`);
  return copy;
}

/** Compiles a file without checking its types, and returns its script. `entry` is its path without `.ts`. */
export async function buildScript(entry: string): Promise<string> {
  const directory = temporaryDirectory();
  copyFileSync(join(ROOT, 'package.json'), join(directory, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const project = join(directory, 'tsconfig.json');
  const compilerOptions = { rootDir: ROOT, outDir: directory, noCheck: true, sourceMap: false };
  const files = [join(ROOT, `${entry}.ts`)];
  writeFileSync(project, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }));
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
  return join(directory, `${entry}.js`);
}
