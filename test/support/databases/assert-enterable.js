import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The permission of others to enter a folder. */
const ENTER = 0o001;

/**
 * Throws when other users cannot enter a folder. PostgreSQL refuses to run as root, so root runs it as another user, who must
 * reach its program.
 */
export function assertEnterable(folder) {
  for (let current = folder; ; current = dirname(current)) {
    if ((statSync(current).mode & ENTER) === 0) {
      throw new Error(
        `PostgreSQL does not run as root, and other users cannot enter ${current}: run this as another user, or allow them to enter with "chmod o+x ${current}".`,
      );
    }
    if (current === dirname(current)) return;
  }
}
