import { afterEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatchedWrites } from '../../../src/platform/http/internals/batched-writes.js';

const block = (milliseconds: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const sockets: Socket[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that is attached to `writes`. */
async function attached(writes: BatchedWrites): Promise<Socket> {
  const server = createServer((socket) => void sockets.push(socket)).listen(0);
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port);
  sockets.push(socket);
  await once(socket, 'connect');
  server.close();
  writes.attach({ socket, addUnsent: () => {}, releaseUnsent: () => {} });
  return socket;
}

/** What these sockets write, in order. The process writes to other sockets as well. */
function observeWrites(...observed: readonly Socket[]): unknown[] {
  const written: unknown[] = [];
  const { _write: write } = Socket.prototype as Required<Socket>;
  jest.spyOn(Socket.prototype, '_write').mockImplementation(function (this: Socket, ...args) {
    if (observed.includes(this)) written.push(String(args[0]));
    write.apply(this, args);
  });
  return written;
}

it('holds responses until the end of the turn', async () => {
  const writes = new BatchedWrites();
  const [one, other] = [await attached(writes), await attached(writes)];
  jest.spyOn(performance, 'now').mockReturnValue(1);
  const written = observeWrites(one, other);
  writes.holdUntilEndOfTurn();
  one.write('one');
  other.write('other');
  expect(written).toEqual([]);
  await nextTurn();
  await nextTurn();
  expect(written).toEqual(['one', 'other']);
});

it('writes responses that it has held for a millisecond together with the next one', async () => {
  const writes = new BatchedWrites();
  const [one, other] = [await attached(writes), await attached(writes)];
  const written = observeWrites(one, other);
  writes.holdUntilEndOfTurn();
  one.write('one');
  // As commits of single rows do.
  block(5);
  other.write('other');
  expect(written).toEqual(['one', 'other']);
});
