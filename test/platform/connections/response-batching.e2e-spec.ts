import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type AddressInfo, Socket } from 'node:net';
import { goodCreation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import { startApp } from '../../support/start-app.js';

const COUNT = 10;
/** Milliseconds in which the kernel delivers all requests. */
const DELIVERY = 20;
const ALIVE = message(['GET /live HTTP/1.1', 'Host: localhost']);

const repeated = (...steps: string[]): string[] => Array.from({ length: COUNT }, () => steps).flat();

afterEach(() => {
  jest.restoreAllMocks();
});

/** The server's reads, ends of responses and writes when several requests arrive in one turn of the event loop. */
async function stepsOf(requestWith: (key: string) => string): Promise<string[]> {
  // PostgreSQL returns results between two turns, so the service does not hold those responses.
  const started = await startApp({}, { engine: 'sqlite' });
  const connections = await Promise.all(Array.from({ length: COUNT }, () => started.connect()));
  // The service reads a connection that it has not accepted yet in another turn.
  await Promise.all(connections.map((connection) => connection.send(ALIVE).response()));

  const server = started.app.getHttpServer();
  const { port } = server.address() as AddressInfo;
  const steps: string[] = [];
  const note = (socket: Socket, step: string): void => void (socket.localPort === port && steps.push(step));
  server.prependListener('request', ({ socket }, response) => {
    note(socket, 'read');
    response.on('prefinish', () => note(socket, 'end a response'));
  });
  const { _write: write, _writev: writev } = Socket.prototype as Required<Socket>;
  jest.spyOn(Socket.prototype, '_write').mockImplementation(function (this: Socket, ...args) {
    note(this, /^HTTP.*[}\]]$/s.test(String(args[0])) ? 'write a response' : `write ${args[0]}`);
    write.apply(this, args);
  });
  jest.spyOn(Socket.prototype as Required<Socket>, '_writev').mockImplementation(function (this: Socket, ...args) {
    note(this, `write ${args[0].length} pieces`);
    writev.apply(this, args);
  });
  // Stop the clock: the service holds a response for a millisecond at most, too short on a busy machine.
  jest.spyOn(performance, 'now').mockReturnValue(1);

  for (const connection of connections) connection.send(requestWith(started.key));
  // Block the event loop until the kernel has delivered all requests.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DELIVERY);
  await Promise.all(connections.map((connection) => connection.response()));
  return steps;
}

describe('responses to requests of one turn of the event loop', () => {
  it.each<[string, (key: string) => string, string[]]>([
    ['lists', listRequest, [...repeated('read'), ...repeated('end a response')]],
    ['creations', goodCreation, [...repeated('read'), ...repeated('end a response')]],
    ['rejections', () => listRequest('wrong'), repeated('read', 'end a response')],
  ])('are each written in one piece after all of them have ended: %s', async (_, request, before) => {
    expect(await stepsOf(request)).toEqual([...before, ...repeated('write a response')]);
  });
});
