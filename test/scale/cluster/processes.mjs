import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

export function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

export function kill(pid, signal) {
  try {
    if (pid) process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Kills processes of PostgreSQL, as a power cut would. That empties the shared memory as well: a kill alone leaves files in
 * /dev/shm, and a System V segment, of which the system has room for 4,096, until the machine is restarted. In the directory of
 * the data, as files on a disk, the memory would add to its writes.
 */
export function cutPower(pids) {
  const maps = pids.map(mapsOf).join('');
  for (const pid of pids) kill(pid, 'SIGKILL');
  for (const [file] of maps.matchAll(FILES)) rmSync(file, { force: true });
  const segments = new Set([...maps.matchAll(SEGMENTS)].map(([, id]) => id));
  // The system removes it when the last process has ended.
  for (const id of segments) spawnSync('ipcrm', ['-m', id], { stdio: 'ignore' });
}

const FILES = /\/dev\/shm\/PostgreSQL\.\d+/g;
/** Their id takes the place of an inode. */
const SEGMENTS = /(\d+) +\/SYSV/g;

function mapsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
