import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { BatchedWrites } from '../../../src/platform/http/internals/batched-writes.js';

const server = createServer();

afterAll(() => void server.close());

/** More than the kernel takes for a client that reads nothing. */
const COUNT = 8_000_000;

describe('what a client has yet to read', () => {
  it.each<[string, string, BufferEncoding, number]>([
    ['ASCII', 'x', 'latin1', COUNT],
    ['text of three bytes for each character', '漢', 'utf8', 3 * COUNT],
  ])('counts in bytes: %s', async (_, character, encoding, bytes) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    const [socket] = (await once(server, 'connection')) as [Socket];
    const counted: number[] = [];
    new BatchedWrites().attach({
      socket,
      addUnsent: (count) => void counted.push(count),
      releaseUnsent: (count) => void counted.push(-count),
    });
    socket.write(character.repeat(COUNT), encoding);
    expect(counted).toEqual([bytes]);
    client.resume();
    socket.end();
    await once(client, 'close');
    expect(counted).toEqual([bytes, -bytes]);
    server.close();
    await once(server, 'close');
  });
});
