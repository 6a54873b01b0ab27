import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory;

/** Everything a run writes lies below this directory, so that nothing outlives the run, not even when a test dies. */
export default function createRunDirectory() {
  // Each engine's part of the run asks for it.
  if (directory !== undefined) return;
  directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  // PostgreSQL does not run as root: whoever it runs as must reach its data, and nobody else's.
  chmodSync(directory, 0o711);
  process.env.TEST_RUN_DIRECTORY = directory;
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  // A signal ends the process without the event above.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      remove();
      process.kill(process.pid, signal);
    });
  }
}
