import { Logger } from '@nestjs/common';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { prolongTurn } from '../../process/end-of-turn.js';
import { BatchedWrites } from '../internals/batched-writes.js';
import { Admission, type Handlers } from '../load/admission.js';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import { Patience } from '../load/patience.js';
import type { Outcomes } from '../outcomes/outcomes.js';
import { reportUnanswered } from '../outcomes/unanswered.js';
import { destroyOnDeparture } from './departed-clients.js';
import { isAnsweredEarly } from './early-responses.js';
import type { EdgeHooks } from './edge-hooks.js';
import { edgeMessages } from './edge-messages.js';
import { flushBeforeClosing, isSending } from './flush-before-closing.js';
import { closeAfterUpgrade, rejectUnparsable } from './parser-failure.js';
import { type ArrivalTimeouts, serverOptions } from './server-options.js';
import { destroyStalledClients } from './stalled-clients.js';

/**
 * Milliseconds. `requestTimeout` also limits how long a client may read nothing of its response, and for how long a handler
 * may send none before the log names it.
 */
export interface EdgeTimeouts extends ArrivalTimeouts {
  /** For which the service still serves after SIGTERM, so that a load balancer notices that it is not ready. */
  readonly shutdownGrace: number;
  /** For requests in flight to finish after that. */
  readonly shutdownTimeout: number;
}

/** Node's HTTP server: every response is an Error or one of the contract's, and it can be drained. */
export class EdgeServer {
  readonly http: Server;
  readonly #connections = new Set<Socket>();
  readonly #logger = new Logger('EdgeServer');
  readonly #admission: Admission;
  #isDraining = false;
  #drained?: Promise<void>;
  #isClosing = false;
  #grace?: NodeJS.Timeout;

  constructor(
    app: Express,
    private readonly timeouts: EdgeTimeouts,
    handlers: Omit<Handlers, 'abandon'> &
      Pick<EdgeHooks, 'refuseWrite' | 'assertHeaders' | 'assertHead' | 'assertLength' | 'checkedBody' | 'requestIds'>,
    private readonly outcomes: Outcomes,
    patience = new Patience(),
  ) {
    const writes = new BatchedWrites();
    const hold = () => writes.holdUntilEndOfTurn();
    const admission = new Admission(
      {
        serve: (exchange) => {
          hold();
          handlers.serve(exchange);
        },
        refuse: (exchange) => {
          hold();
          handlers.refuse(exchange);
        },
        // While draining, Node must send the refusal, with `Connection: close`.
        refusalOf: (request) => (this.#isDraining ? undefined : handlers.refusalOf(request)),
        isProbe: handlers.isProbe,
        abandon: (request) => outcomes.abandoned(request),
      },
      patience,
    );
    this.#admission = admission;
    this.http = createServer({
      ...edgeMessages(app, {
        isDraining: () => this.#isDraining,
        onBodyEnd: hold,
        refuseWrite: handlers.refuseWrite,
        requestIds: handlers.requestIds,
        assertHeaders: handlers.assertHeaders,
        assertHead: handlers.assertHead,
        assertLength: handlers.assertLength,
        checkedBody: handlers.checkedBody,
        onEnd: (response) => admission.end(response),
        onAnswer: (response, bytes) => outcomes.answered(response, bytes),
      }),
      ...serverOptions(timeouts),
    });
    const listen: RequestListener = (request, response) => {
      closeAfterUpgrade(request, response);
      admission.accept({ request: request as EdgeRequest, response: response as EdgeResponse });
    };
    this.http.on('request', listen);
    // The reader of the body sends "100 Continue", after the key is checked.
    this.http.on('checkContinue', listen);
    this.http.on('checkExpectation', listen);
    // A client that has ended its side may still wait for its responses. Node does not document this.
    Object.assign(this.http, { httpAllowHalfOpen: true });
    // Node would silently drop headers beyond the 2000th; their total size is limited anyway.
    this.http.maxHeadersCount = 0;
    const sendRefusals = (_: unknown, socket: Duplex) => admission.sendRefusals(socket as Socket);
    this.http.on('clientError', sendRefusals).on('connect', sendRefusals);
    rejectUnparsable(this.http, (...refusal) => outcomes.refused(...refusal));
    destroyStalledClients(this.http, this.#connections, timeouts.requestTimeout);
    reportUnanswered(this.http, () => admission.served(), timeouts.requestTimeout);
    flushBeforeClosing(this.http, this.#connections);
    this.http.on('connection', (socket) => {
      prolongTurn();
      destroyOnDeparture(socket);
      writes.attach(admission.connect(socket).memory);
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** How many requests are being served, and how many wait. */
  get load(): Admission['load'] {
    return this.#admission.load;
  }

  /** Whether the service is about to stop: it is not ready, and closes each connection after a response. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether new requests for operations are rejected. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Serves for the grace period, then rejects new requests and lets those in flight finish until the deadline. Resolves when
   * all connections are closed.
   */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (!this.#drained && !this.http.listening) return Promise.resolve();
    this.#drained ??= new Promise((resolve) => {
      this.http.once('close', resolve);
      const { shutdownGrace } = this.timeouts;
      if (shutdownGrace === 0) this.#close();
      else this.#grace = setTimeout(() => this.#close(), shutdownGrace);
    });
    return this.#drained;
  }

  /** Destroys all connections, without waiting for requests in flight. */
  abort(reason: string): void {
    if (!this.#isClosing) this.#close();
    const count = [...this.#connections].filter(isBusy).length;
    this.#logger.warn(`Requests aborted by ${reason}: ${count}.`);
    // Report before closing: once the connections are closed, the log is flushed.
    for (const request of this.#admission.requests()) this.outcomes.aborted(request);
    this.#destroyWhere(() => true);
  }

  #close(): void {
    this.#isClosing = true;
    clearTimeout(this.#grace);
    const deadline = setTimeout(() => this.abort('the shutdown deadline'), this.timeouts.shutdownTimeout);
    this.http.close(() => clearTimeout(deadline));
    this.http.closeIdleConnections();
    // Node does not consider a connection idle before its first request.
    this.#destroyWhere((socket) => socket.bytesRead === 0);
  }

  #destroyWhere(matches: (socket: Socket) => boolean): void {
    for (const socket of this.#connections) if (matches(socket)) socket.destroy();
  }
}

/** For a connection that is not idle: whether a request has no response yet, or only a part of one. */
function isBusy(socket: Socket): boolean {
  return !socket.destroyed && (isSending(socket) || (!socket.writableEnded && !isAnsweredEarly(socket)));
}
