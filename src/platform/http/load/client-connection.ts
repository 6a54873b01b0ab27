import type { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { atEndOfTurn } from '../../process/end-of-turn.js';
import { endAndLinger } from '../internals/linger.js';
import { currentResponse, stopParsing } from '../internals/parsed-requests.js';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import { type Borrower, type ByteBudget, LARGE_DATA } from './byte-budget.js';
import { ClientMemory } from './client-memory.js';

export interface Exchange {
  readonly request: EdgeRequest;
  readonly response: EdgeResponse;
}

export interface StartedExchange extends Exchange {
  /** Responses to the requests after it. */
  readonly refusals?: string;
}

export interface WaitingExchange extends Exchange {
  /** As `performance.now()`. */
  readonly arrivedAt: number;
  /** The bytes that it takes while it waits, and the budget that they come from. */
  readonly bytes: number;
  readonly budget: ByteBudget;
  /** Of its arrival: instrumentation may have put a span there. */
  readonly context: AsyncResource;
  /** Responses to the requests after it. */
  refusals: string;
}

/** Bytes that a request takes, without its text and its body, while it waits behind another one. */
export const REQUEST_BYTES = 2560;

/** About as many bytes as a refusal takes until it is sent. */
const REFUSAL_BYTES = 512;

/** Milliseconds after which an idle connection that is no longer read is closed. */
const CLOSING_TIME = 100;

/** One connection: its current request, those that wait behind it, and what the process holds for them. */
export class ClientConnection implements Borrower {
  readonly memory: ClientMemory;
  /** The response to the request that is being served. */
  current?: EdgeResponse;
  /** The requests after it. */
  readonly waiting: WaitingExchange[] = [];
  /** Since when the first of them waits only for other connections, as `performance.now()`. */
  readySince = 0;
  /** To be sent after the current response; without one, at the end of the turn or before anything else. */
  #refusals = '';
  /** The length of all refusals that are yet to be sent, which the budget of pipelined requests holds. */
  #unsentRefusals = 0;
  /** The turn in which a request last started on arrival; 0 before the first one. */
  lastTurn = 0;
  /** Since when requests wait for the client to read responses, as `performance.now()`. */
  stalledSince?: number;
  #isCut = false;
  /** Whether the last response closes the connection. */
  #lastResponseCloses = false;
  /** The last response, while a request waits behind it: Node may have yet to send it. */
  #last?: ServerResponse;

  constructor(
    readonly socket: Socket,
    data: ByteBudget,
    private readonly pipelined: ByteBudget,
  ) {
    this.memory = new ClientMemory(socket, data);
  }

  /** Whether a request that arrives now must wait for something of its own connection. */
  get mustWait(): boolean {
    return this.current !== undefined || this.waiting.length > 0 || this.memory.isUnsent;
  }

  /**
   * Whether another response would only fill the memory: the client has yet to read what was sent, or Node is still
   * sending an earlier response than the last one. If so, calls `resume` when that is over.
   */
  waitsForClient(resume: () => void): boolean {
    const { socket, memory } = this;
    const sending = currentResponse(socket);
    if (socket.writableNeedDrain) socket.once('drain', resume);
    else if (memory.isUnsent) memory.whenSent(resume);
    else if (this.#last && sending?.writableEnded && sending !== this.#last) this.#last.once('finish', resume);
    else return false;
    return true;
  }

  takeWaiting(): WaitingExchange {
    // Called only while a request waits.
    const exchange = this.waiting.shift()!;
    exchange.budget.release(exchange.bytes);
    return exchange;
  }

  /** Serves a request, or refuses it with a response of its own. */
  startExchange({ response, refusals = '' }: StartedExchange): void {
    this.sendRefusals();
    this.current = response;
    this.#refusals = refusals;
  }

  /** Whether `addRefusal` may be called. */
  get takesRefusals(): boolean {
    if (this.#unsentRefusals >= LARGE_DATA || this.socket.writableNeedDrain) return false;
    if (!this.pipelined.hasRoomFor(REFUSAL_BYTES)) return false;
    return this.current !== undefined || this.waiting.length > 0 || currentResponse(this.socket) === undefined;
  }

  /** Sends the text of a whole response, bypassing Node, after the responses to the requests before it. */
  addRefusal(text: string): void {
    this.#unsentRefusals += text.length;
    this.pipelined.take(text.length);
    const last = this.waiting.at(-1);
    if (last) {
      last.refusals += text;
      return;
    }
    if (this.#refusals === '' && !this.current) atEndOfTurn('respond', () => this.sendRefusals());
    this.#refusals += text;
  }

  /** Must be called before anything else is written, unless a request is being served. */
  sendRefusals(): void {
    if (this.#refusals === '' || this.current) return;
    this.#write(this.#refusals);
    this.#refusals = '';
  }

  #write(text: string): void {
    this.#releaseRefusals(text.length);
    if (this.socket.writable) this.socket.write(text, 'latin1');
  }

  /** Releases nothing after `close`, which has released all of them. */
  #releaseRefusals(length: number): void {
    const released = Math.min(length, this.#unsentRefusals);
    this.#unsentRefusals -= released;
    this.pipelined.release(released);
  }

  /** Reads nothing more, and closes the connection after the requests that already wait. The client must repeat the rest. */
  cut(): void {
    this.#isCut = true;
    stopParsing(this.socket);
    // Otherwise the last response closes it. Those of this turn are not sent yet.
    if (!this.current && this.waiting.length === 0) setTimeout(() => endAndLinger(this.socket), CLOSING_TIME).unref();
  }

  /** The response to the current request has been passed to the connection. */
  endExchange(response: ServerResponse): void {
    this.current = undefined;
    this.#last = this.waiting.length > 0 ? response : undefined;
    this.memory.releaseBody();
    if (closesConnection(response)) {
      this.#lastResponseCloses = true;
      this.close();
      return;
    }
    if (this.#refusals !== '') {
      const refusals = this.#refusals;
      this.#refusals = '';
      // Node's own listener sends the next response.
      response.prependOnceListener('finish', () => this.#write(refusals));
    }
    if (this.#isCut && this.waiting.length === 0) response.once('finish', () => endAndLinger(this.socket));
  }

  close(): void {
    this.#refusals = '';
    this.#releaseRefusals(this.#unsentRefusals);
    while (this.waiting.length > 0) this.takeWaiting();
    this.memory.close();
  }

  /** Whether its requests wait for the client, which has yet to read. */
  get isStalled(): boolean {
    return this.stalledSince !== undefined || this.memory.isUnsent;
  }

  get bytesAtClient(): number {
    return this.waiting.reduce((sum, { bytes }) => sum + bytes, this.#unsentRefusals);
  }

  /** For a connection that is stalled. */
  get waitingSince(): number {
    return this.stalledSince ?? this.memory.waitingSince;
  }

  giveUp(): void {
    this.socket.destroy();
    this.close();
  }

  get lastResponseCloses(): boolean {
    return this.#lastResponseCloses;
  }
}

function closesConnection(response: ServerResponse): boolean {
  if (!response.shouldKeepAlive) return true;
  const options = response.getHeader('connection');
  return options !== undefined && /^close$/i.test(String(options));
}
