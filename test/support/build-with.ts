import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, temporaryDirectory } from './built-service.js';

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
