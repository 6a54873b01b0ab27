// Preloaded into every server that gets many connections. The load generator opens all of them at once. Those that find
// Node's queue of 511 full would try again seconds later, and the server would be measured with fewer connections.
import { Server } from 'node:net';

const backlog = 65_535;
const { value: listen } = Object.getOwnPropertyDescriptor(Server.prototype, 'listen');

Server.prototype.listen = function (first, ...others) {
  if (typeof first === 'object') return listen.call(this, { ...first, backlog }, ...others);
  const [host, onListening] = others;
  return listen.call(this, { port: first, host, backlog }, onListening);
};
