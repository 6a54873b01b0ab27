// A process of its own, so that it can run on another core: `node open-loop.mjs '{"port":…}'`. Sends requests at a fixed
// rate, whatever the responses, over persistent connections that pipeline when all are busy. Prints as JSON the outcomes, and
// the cores that the service kept busy meanwhile.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { processorSeconds } from '../../../bench/machine/process-usage.mjs';

const { port, pid, key, path, rate, seconds, connections } = JSON.parse(process.argv[2]);
const REQUEST = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
const HEAD_END = '\r\n\r\n';
/** Milliseconds after the last request. */
const PATIENCE = 15_000;

/** Of each response: its status, milliseconds from the time at which its request was due, and from the first request. */
const outcomes = [];
let failed = 0;
let start = 0;

class Connection {
  #due = [];
  #received = Buffer.alloc(0);
  #skip = 0;
  #socket = connect({ port, host: '127.0.0.1' });

  async open() {
    await once(this.#socket, 'connect');
    this.#socket.on('data', (bytes) => this.#read(bytes)).on('error', () => undefined);
    this.#socket.on('close', () => {
      failed += this.#due.length;
      this.#due = [];
    });
    return this;
  }

  get waiting() {
    return this.#due.length;
  }

  send(due) {
    if (this.#socket.destroyed) failed += 1;
    else {
      this.#due.push(due);
      this.#socket.write(REQUEST);
    }
  }

  #read(bytes) {
    let rest = this.#received.length > 0 ? Buffer.concat([this.#received, bytes]) : bytes;
    while (rest.length > this.#skip) {
      rest = rest.subarray(this.#skip);
      this.#skip = 0;
      const end = rest.indexOf(HEAD_END);
      if (end < 0) break;
      const head = rest.latin1Slice(0, end);
      const length = end + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)[1]);
      if (rest.length < length) break;
      const now = performance.now();
      outcomes.push([Number(head.slice(9, 12)), now - this.#due.shift(), now - start]);
      rest = rest.subarray(length);
    }
    this.#received = rest;
  }

  close() {
    this.#socket.destroy();
  }
}

const all = await Promise.all(Array.from({ length: connections }, () => new Connection().open()));
await delay(500);
const used = processorSeconds(pid);
start = performance.now();
const count = Math.round(rate * seconds);
for (let sent = 0; sent < count; await nextTurn()) {
  for (const due = Math.min(count, ((performance.now() - start) * rate) / 1000); sent < due; sent += 1) {
    all[sent % all.length].send(start + (sent * 1000) / rate);
  }
}
const end = performance.now();
const service = (processorSeconds(pid) - used) / ((end - start) / 1000);
while (all.some(({ waiting }) => waiting > 0) && performance.now() - end < PATIENCE) await delay(10);
const drained = performance.now() - end;
for (const connection of all) connection.close();
const { user, system } = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ outcomes, failed, drained, service, processor: (user + system) / 1e6 })}\n`);
