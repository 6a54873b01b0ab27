import { Logger } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { BatchedWrites } from '../internals/batched-writes.js';
import { isSending, sendBeforeClosing } from './close-idle-connections.js';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import { hasBody, isAnsweredEarly } from './early-responses.js';
import { edgeMessages } from './edge-messages.js';
import { answerParserFailures } from './parser-failure.js';
import { endUnreadAnswers } from './stalled-clients.js';

/** Milliseconds. */
export interface EdgeTimeouts {
  /** A client may take to send its header fields. */
  readonly headersTimeout: number;
  /** A client may take to send its whole request, or to receive the whole response. */
  readonly requestTimeout: number;
  /** An idle connection is kept open. */
  readonly keepAliveTimeout: number;
  /** The service keeps serving after SIGTERM, so that a load balancer can see that it is not ready. */
  readonly shutdownGrace: number;
  /** Requests in flight may take after that. */
  readonly shutdownTimeout: number;
}

/** Milliseconds between two looks for clients that are too slow. */
const CHECKING_INTERVAL = 500;

/** Node's HTTP server, made so that every answer it gives is one of the contract's, and able to come to an end. */
export class EdgeServer {
  readonly http: Server;
  readonly #connections = new Set<Socket>();
  readonly #logger = new Logger('EdgeServer');
  #isDraining = false;
  #isClosing = false;
  #grace?: NodeJS.Timeout;

  constructor(
    app: Express,
    private readonly timeouts: EdgeTimeouts,
    listener: (request: EdgeRequest, response: EdgeResponse) => void,
  ) {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = timeouts;
    const server = createServer({
      ...edgeMessages(app, () => this.#isDraining),
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: CHECKING_INTERVAL,
      // Node would answer with an empty body; the adapter answers with an Error.
      requireHostHeader: false,
    });
    const writes = new BatchedWrites();
    const listen = ((request: EdgeRequest, response: EdgeResponse) => {
      writes.begin();
      if (hasBody(request)) request.once('end', () => writes.begin());
      listener(request, response);
    }) as never;
    server.on('request', listen);
    // "100 Continue" is sent by whoever reads the body, and not before the key is checked.
    server.on('checkContinue', listen);
    server.on('checkExpectation', listen);
    this.http = server as unknown as Server;
    // A client that has said all it has to say still wants its answers, and a database across a network takes a while.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Node would drop those beyond 2000 without a word; the bytes of all together are limited anyhow.
    this.http.maxHeadersCount = 0;
    answerParserFailures(this.http);
    endUnreadAnswers(this.http, this.#connections, requestTimeout);
    sendBeforeClosing(this.http, this.#connections);
    this.http.on('connection', (socket) => {
      writes.attach(socket);
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** Not ready, and every answer is the last one of its connection. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Nothing new is taken any more. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Goes on for the grace period, takes nothing new from then on, finishes what is in flight for as long as configured,
   * and resolves when all is closed.
   */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (!this.http.listening) return Promise.resolve();
    return new Promise((resolve) => {
      this.http.once('close', resolve);
      const { shutdownGrace } = this.timeouts;
      if (shutdownGrace === 0) this.#close();
      else this.#grace = setTimeout(() => this.#close(), shutdownGrace);
    });
  }

  /** Ends a drain at once. */
  cut(reason: string): void {
    if (!this.#isClosing) this.#close();
    const count = [...this.#connections].filter(isBusy).length;
    this.#logger.warn(`Requests aborted by ${reason}: ${count}.`);
    this.#destroy(() => true);
  }

  #close(): void {
    this.#isClosing = true;
    clearTimeout(this.#grace);
    const deadline = setTimeout(() => this.cut('the shutdown deadline'), this.timeouts.shutdownTimeout);
    this.http.close(() => clearTimeout(deadline));
    this.http.closeIdleConnections();
    // Node does not count a connection as idle on which nothing was sent yet.
    this.#destroy((socket) => socket.bytesRead === 0);
  }

  #destroy(which: (socket: Socket) => boolean): void {
    for (const socket of this.#connections) if (which(socket)) socket.destroy();
  }
}

/** Of the connections that are not idle: whether there is a request without an answer, or with a part of one. */
function isBusy(socket: Socket): boolean {
  return !socket.destroyed && (isSending(socket) || (!socket.writableEnded && !isAnsweredEarly(socket)));
}
