import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a database, which a test can close, cut and jam. */
export class UnsteadyNetwork {
  readonly #server: Server;
  /** An address of its own: while it is closed, no other process takes its port. Only Linux accepts all of 127.0.0.0/8. */
  readonly #host =
    process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #port = 0;
  #isJammed = false;

  private constructor(private readonly target: URL) {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async to(databaseUrl: string): Promise<UnsteadyNetwork> {
    const network = new UnsteadyNetwork(new URL(databaseUrl));
    await network.open();
    return network;
  }

  /** The address of the database through this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = this.#host;
    url.port = String(this.#port);
    return url.href;
  }

  async open(): Promise<void> {
    await once(this.#server.listen(this.#port, this.#host), 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts all connections, and refuses new ones until `open` is called. */
  async close(): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    this.cut();
    await closed;
  }

  cut(): void {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy();
  }

  /** Accepts connections but forwards nothing. */
  jam(): void {
    this.#isJammed = true;
    for (const sockets of this.#pairs) for (const socket of sockets) socket.unpipe().pause();
  }

  /** Forwards new connections. Jammed ones stay silent forever, as if their machine had crashed. */
  clear(): void {
    this.#isJammed = false;
  }

  /** Forwards everything, also what jammed connections have sent: the machine was only slow. */
  release(): void {
    this.clear();
    for (const [near, far] of this.#pairs) near.pipe(far).pipe(near);
  }

  #join(near: Socket): void {
    const far = connect({ host: this.target.hostname, port: Number(this.target.port) });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [socket, other] of [pair, [far, near] as const]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
      if (!this.#isJammed) socket.pipe(other);
    }
  }
}
