// A service on SQLite with thousands of clients that send one byte each second, and one without them to compare it with.
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
/** To each of both services. */
const REQUESTS = 15_000;
/** Requests to one service before the other has its turn: the machine is then as fast for both. */
const TURN = 100;
/** The first requests do not count: V8 has yet to optimise the code, or to collect what opening connections left. */
const FIRST = 5_000;
const CLIENTS = join(import.meta.dirname, 'dripping-clients.mjs');

export async function dripping(report, say, cleanup) {
  const key = randomBytes(16).toString('hex');
  const calm = await startTarget(key, cleanup);
  const dripped = await startTarget(key, cleanup);
  say(`dripping: two services, one of them with ${CONNECTIONS} connections that send a byte each second`);
  const clients = await drip(dripped.port, key);
  cleanup.add(clients.close);
  await inTurns([calm, dripped], FIRST);
  const [alone, beside] = (await inTurns([calm, dripped], REQUESTS)).map(figuresOf);

  report.figure('99 % of the responses without them within, microseconds', 1000 * alone.p99);
  report.figure('99 % of the responses beside them within, microseconds', 1000 * beside.p99);
  report.promise('per cent of it', beside.p99 <= 2 * alone.p99, (100 * beside.p99) / alone.p99);
  report.none('responses other than 200', alone.others + beside.others);
  report.none('of the other connections closed meanwhile', clients.closed());
}

/** A service with a file of its own, and one connection of a healthy client. */
async function startTarget(key, cleanup) {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-dripping-'));
  cleanup.add(() => rmSync(directory, { recursive: true, force: true }));
  const { port, stop } = await startService({
    DATABASE_URL: `sqlite:${join(directory, 'pets.sqlite')}`,
    API_KEYS: key,
    // Milliseconds. A slow machine takes longer than their defaults allow a dripping client.
    HEADERS_TIMEOUT_MS: '600000',
    REQUEST_TIMEOUT_MS: '600000',
  });
  cleanup.add(stop);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanup.add(() => agent.destroy());
  return { port, key, agent };
}

/** The outcomes of so many requests to each. */
async function inTurns(targets, requests) {
  const outcomes = targets.map(() => []);
  for (let sent = 0; sent < requests; sent += TURN) {
    for (const [index, target] of targets.entries()) {
      for (let count = 0; count < TURN; count += 1) outcomes[index].push(await send(target, 'GET', '/v1/pets'));
    }
  }
  return outcomes;
}

function figuresOf(outcomes) {
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
