import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, temporaryDirectory } from './built-service.js';

/** Copies the build with one changed package. Returns its folder. */
export async function buildWith(name: string, change: (folder: string) => void): Promise<string> {
  const original = await build();
  const copy = join(temporaryDirectory(), 'build');
  for (const part of ['dist', 'openapi.yaml', 'package.json']) {
    cpSync(join(original, part), join(copy, part), { recursive: true });
  }
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
