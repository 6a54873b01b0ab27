import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { destroyStalledClients } from '../../../src/platform/http/server/stalled-clients.js';

/** More bytes than the kernel takes for a client that reads nothing; one piece, as each response is. */
const RESPONSE = 'x'.repeat(64_000_000);
const TIMEOUT = 1000;

let server: Server;
let client: Socket;
let socket: Socket;

/** Lets the time of one check pass. */
function check(): void {
  jest.advanceTimersByTime(TIMEOUT);
}

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
  const connections = new Set<Socket>();
  server = createServer();
  server.on('connection', (accepted) => connections.add((socket = accepted)));
  destroyStalledClients(server, connections, TIMEOUT);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.pause();
  await once(server, 'connection');
  socket.on('error', () => undefined);
  socket.write(RESPONSE);
});

afterEach(async () => {
  jest.useRealTimers();
  client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** Reads until the kernel of the service has taken more of the response. */
async function readSome(): Promise<void> {
  const before = unsent();
  client.resume();
  while (unsent() === before) await new Promise((resolve) => setImmediate(resolve));
  client.pause();
}

function unsent(): number {
  // Node does not declare this member.
  // oxlint-disable-next-line no-underscore-dangle
  return (socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
}

describe('a client with an unread response', () => {
  it('stays connected while it reads', async () => {
    for (let count = 0; count < 4; count += 1) {
      check();
      await readSome();
    }
    check();
    expect(socket.destroyed).toBe(false);
  });

  it('is disconnected when it has read nothing between two checks', async () => {
    check();
    await readSome();
    check();
    expect(socket.destroyed).toBe(false);
    check();
    expect(socket.destroyed).toBe(true);
  });
});
