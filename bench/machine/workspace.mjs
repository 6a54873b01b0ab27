import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll } from './processes.mjs';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Creates a temporary directory. When this process exits, it removes the directory and kills every process it started. */
export function createWorkspace() {
  const directory = mkdtempSync(join(tmpdir(), 'pets-bench-'));
  // PostgreSQL does not run as root: its user must be able to enter this directory, but not to list it.
  chmodSync(directory, 0o711);
  process.once('exit', () => {
    killAll();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
  return directory;
}
