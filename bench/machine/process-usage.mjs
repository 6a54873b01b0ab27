import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// USER_HZ of Linux: 100 on every architecture that Node supports.
const TICKS_PER_SECOND = 100;

const isLinux = existsSync('/proc/self/stat');

/** Resident memory of a process in bytes: now, and its peak so far where the system reports it. */
export function residentMemory(pid) {
  if (isLinux) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) * 1024;
    return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
  }
  const kilobytes = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return { residentBytes: Number(kilobytes) * 1024, peakBytes: Number.NaN };
}

/** Processor seconds of a process, and of its children that have ended. */
function secondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, usersOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / TICKS_PER_SECOND, ended: (usersOfChildren + systemOfChildren) / TICKS_PER_SECOND };
}

/** Processor seconds of a process so far; NaN where the system does not report them precisely enough. */
export const processorSeconds = (pid) => (isLinux ? secondsOf(pid).own : Number.NaN);

/** The same for a process and all its children, including those that have ended. */
export function familyProcessorSeconds(pid) {
  if (!isLinux) return Number.NaN;
  const { own, ended } = secondsOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((seconds, child) => seconds + secondsOf(child).own, own + ended);
}

/** Processor seconds of everything that runs on the machine so far, and of other virtual machines that took its cores. */
export function machineSeconds() {
  if (!isLinux) return Number.NaN;
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0];
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + interrupts + softInterrupts + stolen) / TICKS_PER_SECOND;
}
