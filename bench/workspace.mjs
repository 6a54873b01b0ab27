import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll } from './processes.mjs';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** A directory of our own that is gone, with every process we started, however this process ends. */
export function createWorkspace() {
  const directory = mkdtempSync(join(tmpdir(), 'pets-bench-'));
  // PostgreSQL does not run as root: whoever it runs as must reach its data, and nobody else's.
  chmodSync(directory, 0o711);
  process.once('exit', () => {
    killAll();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
  return directory;
}
