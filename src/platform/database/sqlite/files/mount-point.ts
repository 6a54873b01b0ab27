import { readFileSync, realpathSync } from 'node:fs';

/** The mounts of Linux, by lines whose fifth field is the place of one (proc(5)). */
const MOUNTS = '/proc/self/mountinfo';

/** Whether something is mounted at exactly this path. False where the system does not report it. */
export function isMountPoint(path: string): boolean {
  const real = realpathSync(path);
  return readMounts()
    .split('\n')
    .some((line) => unescaped(line.split(' ')[4] ?? '') === real);
}

function readMounts(): string {
  try {
    return readFileSync(MOUNTS, 'utf8');
  } catch {
    // Another system, or a container that hides it.
    return '';
  }
}

/** White space and backslashes are octal numbers: `\040`. */
function unescaped(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 8)));
}
