import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, onCore } from '../machine/machine.mjs';
import { outputOf } from '../machine/processes.mjs';
import { autocannon } from './autocannon.mjs';
import { wrk } from './wrk.mjs';

export const DEFAULT_CONNECTIONS = 64;

export const GENERATORS = [wrk.name, autocannon.name];

/** Throws when `wrk` is named and not installed. */
export function chooseGenerator(name) {
  if (name === autocannon.name) return autocannon;
  if (isInstalled('wrk')) return wrk;
  if (name === wrk.name) throw new Error('wrk is not installed: install it, or use --generator autocannon.');
  return autocannon;
}

/** For each load, each longer: on a busy machine, many connections can take a short round to open. */
const ATTEMPTS = 3;

async function loadOnce(
  { generator, key, cores, directory },
  { name, address, connections },
  { method, paths, body },
  seconds,
) {
  const pathsFile = join(directory, `${name}-${connections}.paths`);
  const base = new URL(address).pathname;
  writeFileSync(pathsFile, paths.map((path) => `${base}${path}\n`).join(''));
  const load = { address, connections, seconds, method, key, pathsFile, body };
  const milliseconds = seconds * 1000 + 30_000;
  const printed = await outputOf(onCore(cores?.load, generator.command(load)), { milliseconds });
  return JSON.parse(printed.trimEnd().split('\n').at(-1));
}

/** Loads a server for some seconds. Throws when any response is an error, unless errors are counted. */
export async function generateLoad(bench, server, workload, { seconds, countsErrors = false }) {
  for (let attempt = 1; ; attempt++) {
    const { requests, microseconds, failed, errors, p50, p99 } = await loadOnce(
      bench,
      server,
      workload,
      seconds * attempt,
    );
    const isRejected = failed + errors > 0 && !countsErrors;
    if (isRejected || !server.isRunning() || (requests === 0 && attempt === ATTEMPTS)) {
      throw new Error(
        `${server.name} failed under ${workload.name} with ${server.connections} connections: ${failed} error responses and ${errors} socket errors, ` +
          `${requests} responses. Its last output:\n${server.lastLines()}`,
      );
    }
    if (requests > 0) {
      return { requests, perSecond: requests / (microseconds / 1e6), p50, p99, errors: failed + errors };
    }
  }
}
