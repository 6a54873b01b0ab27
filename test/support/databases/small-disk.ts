import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1_048_576;
const open = new Set<SmallDisk>();

// A mounted directory cannot be removed.
process.once('exit', () => {
  for (const disk of open) disk.remove();
});

/** A file system in memory that a test can fill. */
export class SmallDisk {
  readonly directory = join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), `disk-${randomBytes(4).toString('hex')}`);

  /** Throws where mounts are not permitted. */
  constructor(mebibytes: number) {
    mkdirSync(this.directory);
    const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=1777`, 'tmpfs', this.directory];
    const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' });
    if (status !== 0) {
      rmdirSync(this.directory);
      throw new Error(`A disk cannot be mounted: ${stderr}`);
    }
    open.add(this);
  }

  /** Leaves no byte. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let size = MIB; size >= 1;) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size /= 2;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast);
  }

  remove(): void {
    spawnSync('umount', ['--lazy', this.directory]);
    rmdirSync(this.directory);
    open.delete(this);
  }

  get #ballast(): string {
    return join(this.directory, 'ballast');
  }
}

export function canMountDisk(): boolean {
  try {
    new SmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
