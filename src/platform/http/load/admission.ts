import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentTurn, timeInTurn } from '../../process/end-of-turn.js';
import { isSaturated } from '../../process/large-results.js';
import { takeRequests } from '../internals/parsed-requests.js';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import { declaredLength, hasBody } from '../request/body-length.js';
import { type Borrower, ByteBudget } from './byte-budget.js';
import { ClientConnection, type Exchange, REQUEST_BYTES, type StartedExchange } from './client-connection.js';
import { LongReadings } from './long-readings.js';
import type { Patience } from './patience.js';
import { Turns } from './turns.js';

/** Bytes of request bodies, and of responses that clients have not read yet. */
const DATA_BYTES = 32 * 1024 * 1024;

/** Bytes of the requests that wait behind another one of their connection, and of the refusals that do. */
const PIPELINED_BYTES = 32 * 1024 * 1024;

/** Bytes of a body that Node has read before its request is served. */
const FIRST_READ = 65_536;

/**
 * Milliseconds of a turn in which requests start as they arrive. Most loads need no more; what waits in memory instead of
 * in the kernel costs a fifth more, because it survives garbage collections.
 */
const MAX_TURN = 100;

export interface Handlers {
  readonly serve: (exchange: Exchange) => void;
  /** Answers with 503. */
  readonly refuse: (exchange: Exchange) => void;
  /** The whole 503 for a request without a body; undefined when it needs a response of its own. */
  readonly refusalOf: (request: EdgeRequest) => string | undefined;
  /** Whether a request is a probe. One that can start on arrival is never refused: that could cost the process. */
  readonly isProbe: (request: EdgeRequest) => boolean;
  /** The client of a request left before it got the response. */
  readonly abandon: (request: EdgeRequest) => void;
}

/**
 * Decides when a request is served: one of each connection at a time, while the next one waits. Connections take turns,
 * so that none delays the others by pipelining. A request that has waited too long, or for whose data there is no room,
 * is refused with a 503 that costs microseconds (ADR 13).
 */
export class Admission {
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #data = new ByteBudget(DATA_BYTES, () => memories(this.#connections));
  readonly #pipelined = new ByteBudget(PIPELINED_BYTES, () => stalledPipelines(this.#connections));
  readonly #readings = new LongReadings();
  readonly #turns: Turns;

  constructor(
    private readonly handlers: Handlers,
    private readonly patience: Patience,
  ) {
    this.#turns = new Turns(patience, (connection, now) => this.#startNext(connection, now));
  }

  connect(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, this.#data, this.#pipelined);
    this.#connections.set(socket, connection);
    this.#readings.addConnection();
    socket.once('close', () => this.#disconnect(connection));
    // Before Node ends its own side.
    socket.prependListener('end', () => connection.sendRefusals());
    takeRequests(socket, (request, isPersistent) => {
      if (!isPersistent || this.#turns.count === 0) return false;
      return this.#refuseEarly(connection, request as EdgeRequest, performance.now());
    });
    return connection;
  }

  /** Serves a request, now or later, or refuses it. */
  accept(exchange: Exchange): void {
    const { request } = exchange;
    // Every socket of the server is connected.
    const connection = this.#connections.get(request.socket)!;
    // The client must repeat what it sent after the request whose response closes the connection (RFC 9112, section 9.6).
    if (connection.lastResponseCloses) return;
    request.memory = connection.memory;
    const now = performance.now();
    request.arrivedAt = now;
    if (connection.mustWait || connection.lastTurn === currentTurn()) {
      if (this.#wait(connection, exchange, this.#pipelined, REQUEST_BYTES, now)) return;
      if (connection.mustWait) connection.cut();
      // Its client may have read the response before: others that pipeline must not cost it the connection.
      else if (!this.#wait(connection, exchange, this.#data, 0, now)) this.#refuse(connection, exchange);
      return;
    }
    connection.lastTurn = currentTurn();
    const isIdle = this.#turns.count === 0 && timeInTurn(now) < MAX_TURN && !isSaturated();
    if (this.handlers.isProbe(request)) this.#serve(connection, exchange);
    else if (isIdle) {
      this.#readings.addRequest(now);
      this.#start(connection, exchange);
    } else if (this.#wouldExceed(connection, now)) {
      this.patience.shed(now);
      this.#refuse(connection, exchange);
    } else if (!this.#wait(connection, exchange, this.#data, 0, now)) this.#refuse(connection, exchange);
  }

  /** Refuses a request before Node makes a response for it, which costs as much as the rest of the refusal. */
  #refuseEarly(connection: ClientConnection, request: EdgeRequest, now: number): boolean {
    // Node starts the timeout of an idle connection after its first response.
    if (!this.patience.isShedding(now) || connection.lastTurn === 0 || !connection.takesRefusals) return false;
    if (!this.#wouldExceed(connection, now) || this.handlers.isProbe(request)) return false;
    const text = this.handlers.refusalOf(request);
    if (text === undefined) return false;
    this.patience.shed(now);
    connection.addRefusal(text);
    return true;
  }

  /** Whether the next request of a connection would wait too long for those of others. */
  #wouldExceed(connection: ClientConnection, now: number): boolean {
    return this.patience.wouldExceed(connection.waiting.length, this.#turns.othersOf(connection), now);
  }

  /** How many requests are being served, and how many wait. */
  get load(): { readonly inFlight: number; readonly waiting: number } {
    let [inFlight, waiting] = [0, 0];
    for (const connection of this.#connections.values()) {
      if (connection.current) inFlight += 1;
      waiting += connection.waiting.length;
    }
    return { inFlight, waiting };
  }

  /** The requests that are being served, and those that wait. */
  *requests(): Generator<EdgeRequest> {
    for (const { current, waiting } of this.#connections.values()) {
      if (current) yield current.req;
      for (const { request } of waiting) yield request;
    }
  }

  /** The responses of the requests that are being served. */
  *served(): Generator<EdgeResponse> {
    for (const { current } of this.#connections.values()) if (current) yield current;
  }

  /** Must be called before an error of Node's parser is answered. */
  sendRefusals(socket: Socket): void {
    this.#connections.get(socket)?.sendRefusals();
  }

  /** Must be called when a response has been passed to its connection. */
  end(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket);
    if (connection?.current !== response) return;
    connection.endExchange(response);
    if (connection.waiting.length > 0) this.#turns.add(connection, performance.now());
  }

  /** False when there is no room for the request. */
  #wait(connection: ClientConnection, exchange: Exchange, budget: ByteBudget, ownBytes: number, now: number): boolean {
    const { request, response } = exchange;
    const bytes =
      ownBytes + textLength(request) + (hasBody(request) ? Math.min(declaredLength(request), FIRST_READ) : 0);
    if (!budget.hasRoomFor(bytes)) return false;
    budget.take(bytes);
    if (budget.isHalfUsed) this.patience.shed(now);
    const context = new AsyncResource('WaitingRequest');
    const count = connection.waiting.push({ request, response, arrivedAt: now, budget, bytes, context, refusals: '' });
    if (count === 1 && !connection.current) this.#turns.add(connection, now);
    return true;
  }

  /** False when nothing was served. */
  #startNext(connection: ClientConnection, now: number): boolean {
    // The waiting requests were dropped meanwhile.
    if (connection.waiting.length === 0) return false;
    const isStalled = connection.waitsForClient(() => {
      connection.stalledSince = undefined;
      this.#turns.add(connection, performance.now());
    });
    if (isStalled) {
      connection.stalledSince = now;
      return false;
    }
    const waiting = connection.takeWaiting();
    // While no other connection waits, a refusal would help no other client.
    if (this.patience.isExceeded(waiting.arrivedAt, now) && this.#turns.count > 0) {
      this.patience.shed(now);
      this.#refuse(connection, waiting);
      return false;
    }
    waiting.context.runInAsyncScope(() => this.#start(connection, waiting));
    return true;
  }

  #start(connection: ClientConnection, exchange: StartedExchange): void {
    if (this.#data.hasRoomFor(1)) this.#serve(connection, exchange);
    else this.#refuse(connection, exchange);
  }

  #serve(connection: ClientConnection, exchange: StartedExchange): void {
    connection.startExchange(exchange);
    this.handlers.serve(exchange);
  }

  #refuse(connection: ClientConnection, exchange: StartedExchange): void {
    connection.startExchange(exchange);
    this.handlers.refuse(exchange);
  }

  /** Drops the requests of a client that has left. */
  #disconnect(connection: ClientConnection): void {
    this.#connections.delete(connection.socket);
    this.#turns.remove(connection);
    if (connection.current) this.handlers.abandon(connection.current.req);
    for (const { request } of connection.waiting) this.handlers.abandon(request);
    connection.close();
  }
}

/** The characters of a request's target and headers, which Node keeps. */
function textLength({ url, rawHeaders }: EdgeRequest): number {
  let length = url.length;
  for (const text of rawHeaders) length += text.length;
  return length;
}

type Connections = ReadonlyMap<Socket, ClientConnection>;

function* memories(connections: Connections): Generator<Borrower> {
  for (const { memory } of connections.values()) yield memory;
}

function* stalledPipelines(connections: Connections): Generator<Borrower> {
  for (const connection of connections.values()) if (connection.isStalled) yield connection;
}
