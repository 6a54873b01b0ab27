import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { atEndOfTurn, currentTurn, isBehind, timeInTurn } from '../../process/end-of-turn.js';
import type { EdgeRequest } from '../request/edge-request.js';
import { declaredLength, hasBody } from '../request/body-length.js';
import { type Borrower, ByteBudget } from './byte-budget.js';
import { ClientConnection, type Exchange } from './client-connection.js';

/** Bytes of request bodies, and of responses that clients have not read yet. */
const DATA_BYTES = 32 * 1024 * 1024;

/** Bytes of the requests that wait behind another one of their connection; what one of them takes without its body. */
const PIPELINED_BYTES = 32 * 1024 * 1024;
const REQUEST_BYTES = 2560;

/** Bytes of a body that Node has read before its request is served. */
const FIRST_READ = 65_536;

/** Milliseconds: a request that would have to wait as long as the last one is refused at once. */
const MAX_WAIT = 400;

/** Milliseconds after which a waiting request is refused when its turn comes: its client may have given up. */
const MAX_AGE = 500;

/**
 * Milliseconds of a turn in which requests start as they arrive. Most loads need no more; what waits in memory instead of
 * in the kernel costs a fifth more, because it survives garbage collections.
 */
const MAX_TURN = 100;

/** Milliseconds for which waiting requests start before what they have begun goes on. */
const MAX_START = 25;

/** Waiting requests that start together: twice as many each time, until they leave reads for later. */
const MAX_BATCH = 1024;

export interface Handlers {
  readonly serve: (exchange: Exchange) => void;
  /** Answers with 503. */
  readonly refuse: (exchange: Exchange) => void;
  /** Whether a request is a probe: it is never refused, because that could cost the process. */
  readonly isProbe: (request: EdgeRequest) => boolean;
}

/**
 * Decides when a request is served. Of each connection one at a time; the next one waits, and connections take turns, so
 * that none delays the others by pipelining. A request that has waited too long, or for whose data there is no room, is
 * refused with a 503 that costs microseconds (ADR 13).
 */
export class Admission {
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #data = new ByteBudget(DATA_BYTES, () => this.#connections.values());
  readonly #pipelined = new ByteBudget(PIPELINED_BYTES, () => this.#slowPipelines());
  /** In the order of their turns: the connections with a waiting request that may start. */
  readonly #ready = new Set<ClientConnection>();
  #willStart = false;
  /** How many of them start together. */
  #batch = 1;
  /** Whether it is not yet known what the last batch has left for later. */
  #isNewBatch = false;
  /** Milliseconds that the connection which had the last turn had waited for it. */
  #lastWait = 0;

  constructor(private readonly handlers: Handlers) {}

  connect(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, this.#data);
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#disconnect(connection));
    return connection;
  }

  /** Serves a request, now or later, or refuses it. */
  accept(exchange: Exchange): void {
    const { request } = exchange;
    // Every socket of the server is connected.
    const connection = this.#connections.get(request.socket)!;
    // The client must repeat what it sent after the request whose response closes the connection (RFC 9112, section 9.6).
    if (connection.isClosing) return;
    request.memory = connection;
    const now = performance.now();
    if (connection.current || connection.waiting.length > 0 || connection.lastTurn === currentTurn()) {
      if (!this.#wait(connection, exchange, this.#pipelined, REQUEST_BYTES, now)) connection.cut();
      return;
    }
    connection.lastTurn = currentTurn();
    const isIdle = this.#ready.size === 0 && timeInTurn(now) < MAX_TURN;
    if (this.handlers.isProbe(request)) this.#serve(connection, exchange);
    else if (isIdle) this.#start(connection, exchange);
    else if (this.#lastWait > MAX_WAIT || !this.#wait(connection, exchange, this.#data, 0, now))
      this.#refuse(connection, exchange);
  }

  /** Must be called when a response has been passed to its connection. */
  end(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket);
    if (connection?.current !== response) return;
    connection.endExchange(response);
    if (connection.waiting.length > 0) this.#makeReady(connection, performance.now());
  }

  /** The connections whose requests wait for the client to read responses. */
  *#slowPipelines(): Generator<Borrower> {
    for (const connection of this.#connections.values()) {
      if (!connection.socket.writableNeedDrain || connection.waiting.length === 0) continue;
      yield {
        bytesAtClient: connection.waiting.length * REQUEST_BYTES,
        waitingSince: connection.waitingSince,
        giveUp: () => {
          connection.socket.destroy();
          connection.close();
        },
      };
    }
  }

  /** False when there is no room for the request. */
  #wait(connection: ClientConnection, exchange: Exchange, budget: ByteBudget, ownBytes: number, now: number): boolean {
    const { request, response } = exchange;
    const bytes = ownBytes + (hasBody(request) ? Math.min(declaredLength(request), FIRST_READ) : 0);
    if (!budget.hasRoomFor(bytes)) return false;
    budget.take(bytes);
    const count = connection.waiting.push({ request, response, arrivedAt: now, budget, bytes });
    if (count === 1 && !connection.current) this.#makeReady(connection, now);
    return true;
  }

  #makeReady(connection: ClientConnection, now: number): void {
    connection.readySince = now;
    this.#ready.add(connection);
    this.#startSoon();
  }

  #startSoon(): void {
    if (this.#willStart) return;
    this.#willStart = true;
    atEndOfTurn('start', () => this.#startReady());
  }

  #startReady(): void {
    this.#willStart = false;
    this.#adaptBatch();
    if (!isBehind()) this.#startBatch();
    if (this.#ready.size === 0) this.#lastWait = 0;
    else this.#startSoon();
  }

  #adaptBatch(): void {
    if (!this.#isNewBatch) return;
    this.#isNewBatch = false;
    this.#batch = isBehind() ? Math.max(1, this.#batch >> 1) : Math.min(this.#batch * 2, MAX_BATCH);
  }

  #startBatch(): void {
    this.#isNewBatch = true;
    const begin = performance.now();
    let count = 0;
    // Visits connections that become ready meanwhile as well.
    for (const connection of this.#ready) {
      const now = performance.now();
      const isOverdue = now - connection.readySince > MAX_AGE;
      if ((count === this.#batch && !isOverdue) || now - begin > MAX_START) break;
      this.#ready.delete(connection);
      this.#lastWait = now - connection.readySince;
      if (this.#startNext(connection, now)) count += 1;
    }
  }

  /** False when nothing was served. */
  #startNext(connection: ClientConnection, now: number): boolean {
    if (connection.socket.writableNeedDrain) {
      // The client reads too slowly: more responses would only fill the memory.
      connection.socket.once('drain', () => this.#makeReady(connection, performance.now()));
      return false;
    }
    const waiting = connection.takeWaiting();
    // With little memory left, requests must not wait for long. While no other connection waits, refusing would help nobody.
    const mayWait = this.#pipelined.isHalfUsed ? MAX_AGE / 4 : MAX_AGE;
    if (now - waiting.arrivedAt > mayWait && this.#ready.size > 0) {
      this.#refuse(connection, waiting);
      return false;
    }
    this.#start(connection, waiting);
    return true;
  }

  #start(connection: ClientConnection, exchange: Exchange): void {
    if (this.#data.hasRoomFor(1)) this.#serve(connection, exchange);
    else this.#refuse(connection, exchange);
  }

  #serve(connection: ClientConnection, exchange: Exchange): void {
    connection.current = exchange.response;
    this.handlers.serve(exchange);
  }

  #refuse(connection: ClientConnection, exchange: Exchange): void {
    connection.current = exchange.response;
    this.handlers.refuse(exchange);
  }

  /** Nothing is done for the requests of a client that is gone. */
  #disconnect(connection: ClientConnection): void {
    this.#connections.delete(connection.socket);
    this.#ready.delete(connection);
    connection.close();
  }
}
