// One service on SQLite, and thousands of clients that send one byte each second.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { send } from '../cluster/service/send.mjs';
import { startService } from '../cluster/service/service.mjs';

const CONNECTIONS = 5_000;
const REQUESTS = 5_000;
/** The median of so many 99th percentiles counts: each depends on what else the machine does. */
const ROUNDS = 3;
const CLIENTS = join(import.meta.dirname, 'dripping-clients.mjs');

export async function dripping(report, say, cleanup) {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-dripping-'));
  cleanup.add(() => rmSync(directory, { recursive: true, force: true }));
  const key = randomBytes(16).toString('hex');
  const { port, stop } = await startService({
    DATABASE_URL: `sqlite:${join(directory, 'pets.sqlite')}`,
    API_KEYS: key,
  });
  cleanup.add(stop);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanup.add(() => agent.destroy());
  const target = { port, key, agent };

  say('dripping: a healthy client alone');
  const alone = await settled(target);
  say(`dripping: beside ${CONNECTIONS} connections that send a byte each second`);
  const clients = await drip(port, key);
  cleanup.add(clients.close);
  const beside = await settled(target);

  report.figure('99 % of the responses alone within, microseconds', 1000 * alone.p99);
  report.figure('99 % of the responses beside the others within, microseconds', 1000 * beside.p99);
  report.promise('per cent of it', beside.p99 <= 2 * alone.p99, (100 * beside.p99) / alone.p99);
  report.none('responses other than 200', alone.others + beside.others);
  report.none('of the other connections closed meanwhile', clients.closed());
}

/** The 99th percentile without the first requests: V8 has yet to optimise the code, or to collect what opening connections left. */
async function settled(target) {
  const first = await healthy(target);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await healthy(target));
  return {
    p99: rounds.map(({ p99 }) => p99).toSorted((one, other) => one - other)[(ROUNDS - 1) / 2],
    others: rounds.reduce((sum, { others }) => sum + others, first.others),
  };
}

async function healthy(target) {
  const outcomes = [];
  for (let count = 0; count < REQUESTS; count += 1) outcomes.push(await send(target, 'GET', '/v1/pets'));
  const times = outcomes.map(({ took }) => took).toSorted((one, other) => one - other);
  return {
    p99: times[Math.floor(0.99 * times.length)],
    others: outcomes.filter(({ status }) => status !== 200).length,
  };
}

/** In a process of its own: its work must not delay the healthy client. Resolves when all connections are open. */
async function drip(port, key) {
  const clients = spawn(process.execPath, [CLIENTS, JSON.stringify({ port, key, connections: CONNECTIONS })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = [];
  createInterface(clients.stdout).on('line', (line) => lines.push(line));
  const ended = once(clients, 'exit').then(() => {
    throw new Error(`The other clients could not open ${CONNECTIONS} connections; does \`ulimit -n\` allow them?`);
  });
  await Promise.race([once(clients.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return {
    /** All, when the process that has them ended. */
    closed: () => (clients.exitCode === null ? lines.filter((line) => line === 'closed').length : CONNECTIONS),
    close: () => clients.kill(),
  };
}
