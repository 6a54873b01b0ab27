import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// What Linux calls USER_HZ: 100 on every architecture that Node runs on.
const TICKS_PER_SECOND = 100;

const isLinux = existsSync('/proc/self/stat');

/** Resident memory of a process in bytes, as the system accounts for it. */
export function residentMemory(pid) {
  const kilobytes = isLinux
    ? readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]
    : spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return Number(kilobytes) * 1024;
}

/** Seconds of processor time a process took so far; NaN where the system does not tell it exactly enough. */
export function processorSeconds(pid) {
  if (!isLinux) return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
