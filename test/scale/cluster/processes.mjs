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
 * Kills processes of PostgreSQL, as a power cut would. That empties /dev/shm as well; a kill alone leaves their files there until
 * the machine is restarted. In the directory of the data, as files on a disk, the memory would add to its writes.
 */
export function cutPower(pids) {
  const files = new Set(pids.flatMap(sharedMemoryOf));
  for (const pid of pids) kill(pid, 'SIGKILL');
  for (const file of files) rmSync(file, { force: true });
}

function sharedMemoryOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? [];
  } catch {
    // It has ended.
    return [];
  }
}
