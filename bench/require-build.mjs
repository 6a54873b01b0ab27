import { existsSync } from 'node:fs';

const BUILD = new URL('../dist/src/main.js', import.meta.url);

/** Ends the process with 1 when there is no build, whose files are imported after this. */
export function requireBuild() {
  if (existsSync(BUILD)) return;
  process.stderr.write('There is no build: run "npm run build" first.\n');
  process.exit(1);
}
