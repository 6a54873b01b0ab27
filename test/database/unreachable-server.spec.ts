import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { postgresFault } from '../../src/platform/database/postgres/postgres-fault.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';

it.each([
  ['accepts no more connections', 'E'],
  ['does not support TLS', 'N'],
  ['ends the connection', ''],
])('reports a server that receives a request for TLS and %s as unavailable', async (_, response) => {
  const server = createServer((socket) => socket.once('data', () => socket.end(response))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new Client(`postgres://pets:of-mine@127.0.0.1:${port}/pets?sslmode=require`);
  const error: unknown = await client.connect().catch((caught: unknown) => caught);
  server.close();
  expect(postgresFault(error, true)).toBeInstanceOf(DatabaseUnavailable);
});
