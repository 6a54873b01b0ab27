import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A directory that ends with this process. */
export function createDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-copy-'));
  removeAtExit(directory);
  return directory;
}

/** Copies the files of the repository as they are now, without packages. */
export function copyRepository(directory) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of list.toString().split('\0')) {
    // A file that was deleted, but not yet committed, is still listed.
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(directory, file));
  }
}

/** A copy of the repository with its packages, which ends with this process. */
export function createWorkingCopy() {
  const directory = createDirectory();
  copyRepository(directory);
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');

  const read = (file) => readFileSync(join(directory, file), 'utf8');
  /** Returns what removes the fault again. */
  const plant = ({ file, text, replacement }) => {
    const original = read(file);
    // A function, because `$` in a replacement has a meaning.
    writeFileSync(
      join(directory, file),
      original.replace(text, () => replacement),
    );
    return () => writeFileSync(join(directory, file), original);
  };
  return { directory, read, plant };
}

function removeAtExit(directory) {
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A signal would end the process without an exit event. Another listener waits for a command that uses the directory.
      if (process.listenerCount(signal) === 1) process.exit(1);
    });
  }
}
