// A process of its own: `node dripping-clients.mjs '{"port":…}'`. Sends a byte each second on each of many connections, half of them
// within a header field, half within a body. Prints a line when all are open and for each one that is closed, and ends when it is killed.
import { once } from 'node:events';
import { connect } from 'node:net';

const { port, key, connections } = JSON.parse(process.argv[2]);
/** Connections that send at the same time, so that the bytes are spread over a second. */
const SHARE = 5;
const HEADS = [
  'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
];

const sockets = [];
while (sockets.length < connections) {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.on('error', () => undefined).on('close', () => process.stdout.write('closed\n'));
  socket.write(HEADS[sockets.length % HEADS.length]);
  sockets.push(socket);
}
let next = 0;
setInterval(
  () => {
    for (let count = 0; count < SHARE; count += 1, next += 1) sockets[next % sockets.length].write('x');
  },
  (1000 * SHARE) / connections,
);
process.stdout.write('open\n');
