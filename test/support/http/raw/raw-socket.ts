import { afterAll } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpResponse } from '../http-response.js';
import { contractCheck } from '../../contract/contract-check.js';
import type { CheckExchange } from '../exchange.js';
import { readResponse, readRequests, type SentRequest } from './http-messages.js';

/** Milliseconds; only a failing test takes this long. */
const TIMEOUT = 20_000;
/** Milliseconds after which a connection counts as staying open. */
export const SETTLE_TIME = 100;

const open = new Set<Socket>();

// A half-open connection would keep the test process alive.
afterAll(() => {
  for (const socket of open) socket.destroy();
});

interface Waiter {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (reason: Error) => void;
}

/** A connection that sends any bytes and checks every response against the contract. */
export class RawConnection {
  private sent: Buffer = Buffer.alloc(0);
  /** Those in `sent`, when it was last read. */
  private requests: SentRequest[] = [];
  private received: Buffer = Buffer.alloc(0);
  private responseCount = 0;
  private hasEnded = false;
  private readonly waiters: Waiter[] = [];
  private readonly ended: Promise<void>;

  private constructor(
    private readonly socket: Socket,
    private readonly check: CheckExchange,
  ) {
    socket.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.deliver();
    });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.hasEnded = true;
        this.deliver();
        resolve();
      };
      // A reset connection emits 'error' and then 'close'.
      socket
        .on('error', () => {})
        .on('end', end)
        .on('close', end);
    });
  }

  static async open(port: number, check: CheckExchange = contractCheck()): Promise<RawConnection> {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    await once(socket, 'connect');
    return new RawConnection(socket, check);
  }

  /** Sends text as Latin-1: one byte for each character. */
  send(bytes: string | Buffer): this {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1');
    this.sent = Buffer.concat([this.sent, buffer]);
    if (!this.hasEnded) this.socket.write(buffer);
    return this;
  }

  /** Ends the client's side. */
  finish(): this {
    this.socket.end();
    return this;
  }

  /** The next response. Rejects when the connection ends or the timeout passes without one. */
  response(timeout = TIMEOUT): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (response) => {
          clearTimeout(timer);
          resolve(response);
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(new Error(`response number ${this.responseCount + 1} did not come in ${timeout} ms`));
      }, timeout);
      this.waiters.push(waiter);
      this.deliver();
    });
  }

  /** Whether the service has closed the connection, or closes it within `timeout` milliseconds. */
  async isClosed(timeout = TIMEOUT): Promise<boolean> {
    await Promise.race([this.ended, delay(timeout, undefined, { ref: false })]);
    return this.hasEnded;
  }

  /** The bytes received after the responses read so far. */
  get unread(): Buffer {
    return this.received;
  }

  close(): void {
    this.socket.destroy();
  }

  private deliver(): void {
    while (this.waiters.length > 0) {
      try {
        const response = this.takeResponse();
        if (response) this.waiters.shift()!.resolve(response);
        else if (this.hasEnded)
          throw new Error(`the connection ended without response number ${this.responseCount + 1}`);
        else return;
      } catch (error) {
        this.waiters.shift()!.reject(error as Error);
      }
    }
  }

  private takeResponse(): HttpResponse | undefined {
    // The last one may have been incomplete. Reading all again for each response would make the client the slow side.
    if (this.responseCount >= this.requests.length - 1) this.requests = readRequests(this.sent);
    // More responses than requests: the service read the last bytes as several requests.
    const request = this.requests[Math.min(this.responseCount, this.requests.length - 1)];
    const read = readResponse(this.received, request?.method === 'HEAD', this.hasEnded);
    if (!read) return undefined;
    this.received = this.received.subarray(read.length);
    this.responseCount += 1;
    const { method, target, body = Buffer.alloc(0) } = request ?? {};
    this.check({ method, target, body, response: read.response, raw: true });
    return read.response;
  }
}
