import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory;

/** A run writes only below this directory, so nothing outlives the run, even when a test crashes. */
export default function createRunDirectory() {
  // Both projects of a run call this, and watch mode calls it for every run.
  if (directory !== undefined && existsSync(directory)) return;
  if (directory === undefined) removeAtExit();
  directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  // PostgreSQL refuses to run as root: its user must be able to pass through, but not to list.
  chmodSync(directory, 0o711);
  process.env.TEST_RUN_DIRECTORY = directory;
  // For every test and program that writes temporary files.
  process.env.TMPDIR = directory;
}

export function removeRunDirectory() {
  // Processes of an interrupted run may still write to it.
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
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
