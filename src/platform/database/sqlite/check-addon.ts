import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { StartError } from '../../process/start-error.js';

const ADDON = 'better-sqlite3/build/Release/better_sqlite3.node';
/** Of the releases in this line, 24.19 and later have headers that make an addon call this function (nodejs/node issue 65446). */
const MAJOR = 24;
const HOOK = 'RemoveEnvironmentCleanupHook';

/** Throws a StartError when the addon could abort the process whenever V8 frees a statement. */
export function checkAddon(version = process.versions.node, file?: string): void {
  if (Number.parseInt(version, 10) !== MAJOR || !readFileSync(file ?? addonFile()).includes(HOOK)) return;
  throw new StartError(
    `The addon of better-sqlite3 was compiled with headers with which Node ${version} may abort; ` +
      'run "npm_config_target=24.18.1 npm rebuild better-sqlite3".',
  );
}

function addonFile(): string {
  return createRequire(import.meta.url).resolve(ADDON);
}
