import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that contains openapi.yaml: the parent of `src` in TypeScript, of `dist` in a build. */
export function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(`${folder}/openapi.yaml`) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
