import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/scale/free-port.mjs';
import { onCore } from '../machine/machine.mjs';
import { residentMemory } from '../machine/process-usage.mjs';
import { start, stop } from '../machine/processes.mjs';

const READY_WITHIN = 30_000;

const LONG_QUEUE = new URL('long-listen-queue.mjs', import.meta.url).href;
/** With more connections, Node's own queue of 511 could be too short. */
const FIT_NODES_QUEUE = 256;

const lastLines = (file) => readFileSync(file, 'utf8').slice(-4096).trimEnd().split('\n').slice(-8).join('\n');

/** Requests the address until it returns 200. Resolves with undefined, or with the last problem after a timeout. */
async function untilReady(isRunning, url, key) {
  const deadline = performance.now() + READY_WITHIN;
  let problem = 'nothing listened on its port';
  while (performance.now() < deadline && isRunning()) {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(5_000),
      });
      problem = `it returned ${response.status} ${await response.text()}`;
      if (response.status === 200) return undefined;
    } catch {
      // Not listening yet.
    }
    await pause(5);
  }
  return problem;
}

/** With the options of Node that a variant sets, too. */
export function environmentOf(port, connections, settings) {
  const own = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) };
  const environment = { ...process.env, ...own, ...settings };
  if (connections <= FIT_NODES_QUEUE) return environment;
  return { ...environment, NODE_OPTIONS: `${environment.NODE_OPTIONS ?? ''} --import=${LONG_QUEUE}` };
}

/** Starts a server as in production, with its log in a file, and resolves at its first 200. */
export async function startServer({ name, connections, command, settings, key, core, log }) {
  const port = await freePort();
  const output = openSync(log, 'w');
  const startedAt = performance.now();
  const child = start(onCore(core, command), {
    stdio: ['ignore', output, output],
    env: environmentOf(port, connections, settings),
  });
  closeSync(output);
  const address = `http://127.0.0.1:${port}/v1/pets`;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const problem = await untilReady(isRunning, `${address}?limit=1`, key);
  if (problem !== undefined) {
    const reason = isRunning() ? problem : `it ended with ${child.signalCode ?? child.exitCode}`;
    await stop(child);
    throw new Error(`${name} did not start: ${reason}. Its last output:\n${lastLines(log)}`);
  }
  return {
    name,
    connections,
    address,
    pid: child.pid,
    /** Milliseconds from the start of the process to its first 200, and its memory then. */
    start: { milliseconds: performance.now() - startedAt, ...residentMemory(child.pid) },
    isRunning,
    lastLines: () => lastLines(log),
    stop: () => stop(child),
  };
}
