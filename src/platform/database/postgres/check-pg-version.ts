import pg from 'pg/package.json' with { type: 'json' };
import { StartError } from '../../process/start-error.js';

/** The range that package.json declares: PostgresQuery calls methods that the documentation of `pg` does not promise. */
const MAJOR = 8;
const OLDEST_MINOR = 23;

/** Throws a StartError when PostgresQuery does not support the installed `pg`, or the one in the bundle. */
export function checkPgVersion(version: string = pg.version): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === MAJOR && minor >= OLDEST_MINOR) return;
  throw new StartError(
    `This release requires pg >=${MAJOR}.${OLDEST_MINOR} <${MAJOR + 1}, but pg ${version} is installed; run "npm ci".`,
  );
}
