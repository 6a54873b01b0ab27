import { afterAll } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.js';
import { contractCheck } from '../contract/contract-check.js';
import type { CheckExchange } from './exchange.js';
import { readAnswer, readRequests } from './http-messages.js';

/** Milliseconds that only a failure takes. */
const PATIENCE = 20_000;
/** Milliseconds for which a connection is watched that is meant to stay open. */
export const SETTLING = 100;

const open = new Set<Socket>();

// One that the service alone has ended stays half open, and the process of the tests with it.
afterAll(() => {
  for (const socket of open) socket.destroy();
});

interface Waiter {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/** A connection on which any bytes can be sent; every answer is held against the contract. */
export class RawConnection {
  private sent: Buffer = Buffer.alloc(0);
  private received: Buffer = Buffer.alloc(0);
  private answerCount = 0;
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
      // A connection that is reset has an error and then a close.
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

  /** Text is sent as Latin-1: a character is a byte. */
  send(bytes: string | Buffer): this {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1');
    this.sent = Buffer.concat([this.sent, buffer]);
    if (!this.hasEnded) this.socket.write(buffer);
    return this;
  }

  /** Tells the service that nothing more will be sent. */
  finish(): this {
    this.socket.end();
    return this;
  }

  /** The next answer. Rejects when the connection ends, or too many milliseconds pass, without one. */
  answer(patience = PATIENCE): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(new Error(`answer number ${this.answerCount + 1} did not come in ${patience} ms`));
      }, patience);
      this.waiters.push(waiter);
      this.deliver();
    });
  }

  /** Whether the service has closed the connection by now, or does so within some milliseconds. */
  async isClosed(patience = PATIENCE): Promise<boolean> {
    await Promise.race([this.ended, delay(patience, undefined, { ref: false })]);
    return this.hasEnded;
  }

  /** Bytes received that belong to no answer taken so far. */
  get unread(): Buffer {
    return this.received;
  }

  close(): void {
    this.socket.destroy();
  }

  private deliver(): void {
    while (this.waiters.length > 0) {
      try {
        const answer = this.takeAnswer();
        if (answer) this.waiters.shift()!.resolve(answer);
        else if (this.hasEnded) throw new Error(`the connection ended without answer number ${this.answerCount + 1}`);
        else return;
      } catch (error) {
        this.waiters.shift()!.reject(error as Error);
      }
    }
  }

  private takeAnswer(): Answer | undefined {
    const requests = readRequests(this.sent);
    // More answers than requests: the last bytes sent were taken for several requests.
    const request = requests[Math.min(this.answerCount, requests.length - 1)];
    const read = readAnswer(this.received, request?.method === 'HEAD', this.hasEnded);
    if (!read) return undefined;
    this.received = this.received.subarray(read.length);
    this.answerCount += 1;
    const { method, target, body = Buffer.alloc(0) } = request ?? {};
    this.check({ method, target, body, answer: read.answer, raw: true });
    return read.answer;
  }
}
