import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of openapi.yaml: above `src` when run as TypeScript, one more up when run from `dist`. */
export function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(`${folder}/openapi.yaml`) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
