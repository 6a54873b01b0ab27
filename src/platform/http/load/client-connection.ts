import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Outgoing } from '../internals/batched-writes.js';
import { stopParsing } from '../internals/stop-parsing.js';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import type { RequestMemory } from '../request/request-memory.js';
import type { Borrower, ByteBudget } from './byte-budget.js';

export interface Exchange {
  readonly request: EdgeRequest;
  readonly response: EdgeResponse;
}

export interface WaitingExchange extends Exchange {
  /** As `performance.now()`. */
  readonly arrivedAt: number;
  /** What it takes while it waits, and of which budget. */
  readonly bytes: number;
  readonly budget: ByteBudget;
}

/** What a small chunk of a body takes beside its bytes: a Buffer of its own. */
const CHUNK_BYTES = 256;

/** Milliseconds after which a connection that is read no further is closed when it has nothing to do. */
const CLOSING_TIME = 100;

/** One connection: the requests that wait on it, and the bytes that the process holds for it. */
export class ClientConnection implements Borrower, Outgoing, RequestMemory {
  /** The response to the request that is being served. */
  current?: EdgeResponse;
  /** The requests after it. */
  readonly waiting: WaitingExchange[] = [];
  /** Since when the first of them waits only for other connections, as `performance.now()`. */
  readySince = 0;
  /** The turn in which a request was last served or refused at once. */
  lastTurn = 0;
  waitingSince = 0;
  #bodyBytes = 0;
  #unsentBytes = 0;
  /** Present while a body is arriving. */
  #rejectBody?: () => void;
  #isCut = false;
  /** Whether the last response closes the connection. */
  #isClosing = false;

  constructor(
    readonly socket: Socket,
    private readonly data: ByteBudget,
  ) {}

  takeWaiting(): WaitingExchange {
    // Called only while a request waits.
    const exchange = this.waiting.shift()!;
    exchange.budget.release(exchange.bytes);
    return exchange;
  }

  /** Reads nothing more, and closes the connection after the requests that already wait. The client must repeat the rest. */
  cut(): void {
    this.#isCut = true;
    stopParsing(this.socket);
    // Otherwise the last response closes it. Those of this turn are not sent yet.
    if (!this.current && this.waiting.length === 0) setTimeout(() => this.socket.destroySoon(), CLOSING_TIME).unref();
  }

  /** The response to the current request has been passed to the connection. */
  endExchange(response: ServerResponse): void {
    this.current = undefined;
    this.#releaseBody();
    if (closesConnection(response)) {
      this.#isClosing = true;
      this.close();
    } else if (this.#isCut && this.waiting.length === 0) response.once('finish', () => this.socket.destroySoon());
  }

  close(): void {
    while (this.waiting.length > 0) this.takeWaiting();
    this.#releaseBody();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get bytesAtClient(): number {
    return this.#unsentBytes + (this.#rejectBody ? this.#bodyBytes : 0);
  }

  giveUp(): void {
    if (this.#unsentBytes > 0) {
      this.socket.destroy();
      this.releaseUnsent(this.#unsentBytes);
    }
    this.#rejectBody?.();
    this.endBody();
    this.#releaseBody();
  }

  startBody(length: number, reject: () => void): boolean {
    if (!this.data.hasRoomFor(length)) return false;
    this.waitingSince = performance.now();
    this.#rejectBody = reject;
    return true;
  }

  addToBody(length: number): boolean {
    const bytes = length + CHUNK_BYTES;
    if (!this.data.hasRoomFor(bytes)) return false;
    this.data.take(bytes);
    this.#bodyBytes += bytes;
    return true;
  }

  endBody(): void {
    this.#rejectBody = undefined;
  }

  #releaseBody(): void {
    this.data.release(this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  hasRoomFor(bytes: number): boolean {
    return this.data.hasRoomFor(bytes);
  }

  addUnsent(bytes: number): void {
    this.waitingSince = performance.now();
    this.data.take(bytes);
    this.#unsentBytes += bytes;
  }

  /** Releases less after `giveUp`, which has released all of them. */
  releaseUnsent(bytes: number): void {
    const released = Math.min(bytes, this.#unsentBytes);
    this.data.release(released);
    this.#unsentBytes -= released;
  }
}

function closesConnection(response: ServerResponse): boolean {
  return !response.shouldKeepAlive || /^close$/i.test(String(response.getHeader('connection')));
}
