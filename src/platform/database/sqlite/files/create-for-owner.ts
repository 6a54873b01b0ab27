import { closeSync, fchmodSync, openSync } from 'node:fs';

/** Creates an empty file that only its owner can read and write, also with a umask that takes these rights away. */
export function createForOwner(file: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}
