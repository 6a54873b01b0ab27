import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in memory, on Linux. A commit there waits for no disk, and a copied database of PostgreSQL is not written to it. */
const IN_MEMORY = '/dev/shm';
/** Bytes. A container often has less. */
const ROOM = 2 ** 30;

let directory;
let databases;

/** A run writes only below these directories, so nothing outlives the run, even when a test crashes. */
export default function createRunDirectory() {
  // Both projects of a run call this, and watch mode calls it for every run.
  if (directory !== undefined && existsSync(directory)) return;
  if (directory === undefined) removeAtExit();
  directory = createPassable(tmpdir());
  databases = createInMemory();
  process.env.TEST_DATABASES = databases ?? directory;
  process.env.TEST_RUN_DIRECTORY = directory;
  // For every test and program that writes temporary files.
  process.env.TMPDIR = directory;
}

export function removeRunDirectory() {
  // Processes of an interrupted run may still write to it.
  for (const one of [directory, databases])
    if (one !== undefined) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
}

/** PostgreSQL refuses to run as root: its user must be able to pass through, but not to list. */
function createPassable(parent) {
  const created = mkdtempSync(join(parent, 'pet-store-test-'));
  chmodSync(created, 0o711);
  return created;
}

/** A directory for the files of both databases. Undefined without memory that has room for it. */
function createInMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize < ROOM ? undefined : createPassable(IN_MEMORY);
  } catch {
    return undefined;
  }
}

function removeAtExit() {
  process.once('exit', removeRunDirectory);
  // A signal ends the process without an exit event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      removeRunDirectory();
      process.kill(process.pid, signal);
    });
  }
}
