import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many base backups docs/operations.md keeps. */
const KEPT = 7;

/** The folders of the base backups, oldest first. */
export function baseBackups(home) {
  return readdirSync(home)
    .filter((name) => name.startsWith('base-'))
    .toSorted();
}

/**
 * Adds nights that are older than the first base backup, so that one is too many. They only have what the deletion reads,
 * and the place in the log of the first one, which is what a restore starts from.
 */
export function addOlderNights(home, run) {
  const [first, ...others] = baseBackups(home);
  for (let night = others.length; night < KEPT; night += 1)
    run(`mkdir base-2000-01-0${night}; cp ${first}/backup_label base-2000-01-0${night}`);
}

/** The archived segments that no base backup needs. */
export function unneededSegments(home, base) {
  const [, start] = /^START WAL LOCATION.* (\w+)\)$/m.exec(readFileSync(join(home, base, 'backup_label'), 'utf8'));
  return readdirSync(join(home, 'wal')).filter((name) => name < start);
}
