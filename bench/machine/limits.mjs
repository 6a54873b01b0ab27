import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Descriptors of a server or load generator besides its connections. */
const OTHER_DESCRIPTORS = 100;

const LISTEN_QUEUE = '/proc/sys/net/core/somaxconn';

/** What a child process gets: Node has raised its own soft limit to the hard limit, and children inherit it. */
const descriptorLimit = () => Number(spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout);

/** Throws when this machine cannot open that many connections to one server at once. */
export function requireConnections(connections) {
  const descriptors = connections + OTHER_DESCRIPTORS;
  // Not a number where there is no limit.
  const limit = descriptorLimit();
  if (limit < descriptors) {
    throw new Error(`${connections} connections require "ulimit -n ${descriptors}"; the limit is ${limit}.`);
  }
  const queue = existsSync(LISTEN_QUEUE) ? Number(readFileSync(LISTEN_QUEUE, 'utf8')) : Infinity;
  if (queue < connections) {
    throw new Error(`${connections} connections require ${LISTEN_QUEUE} to be at least as many; it is ${queue}.`);
  }
}
