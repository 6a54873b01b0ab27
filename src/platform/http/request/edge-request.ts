import type { OutgoingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { KeyedExchange } from './keyed-exchange.js';
import type { OperationRoute } from './operation-route.js';
import type { RequestMemory } from './request-memory.js';

/** Express' request, with the operation of the contract. */
export interface EdgeRequest extends Request {
  operation?: OperationRoute;
  /** The media type of the response, where the operation declares several. */
  mediaType?: string;
  /** Sentences about a path that breaks the contract. */
  pathViolations?: readonly string[];
  /** Present when an Idempotency-Key was sent and the operation takes one. */
  keyed?: KeyedExchange;
  /**
   * Whether its handler runs, so that nothing may write the response: only what the handler returns is checked.
   * Undefined before that; false once it has ended, and where Nest writes what cannot be checked, such as events.
   */
  isHandling?: boolean;
  /** Whether its response has been checked, or cannot be, such as events. Until then, each write is checked. */
  isChecked: boolean;
  /** The headers, such as those of CORS, that middleware had set before the handler; until then `all` are of middleware. */
  earlyHeaders?: Readonly<OutgoingHttpHeaders> | 'all';
  /** Present on every request that the server has accepted. */
  memory?: RequestMemory;
  /** The client's id if it is well-formed and contains no key, otherwise a new one. Part of the response. */
  readonly requestId: string;
  /** The guard that has accepted its credentials; absent where the operation requires none. */
  authenticator?: Authenticator;
  /** The name of its API key, once that is checked. */
  keyName?: string;
  /** As `performance.now()`; absent when it was refused before it was admitted. */
  arrivedAt?: number;
  /** Milliseconds for which the service waited for its body; absent when it did not, or the body is incomplete. */
  bodyWait?: number;
  /** Whether its outcome has been reported. */
  isReported: boolean;
  /** Passes the body to a receiver, without stream events unless something already listens for them. */
  receiveBody(receiver: BodyReceiver): void;
  /** Whether its body may still be read, so that nothing has it yet; false once that begins, or an error answers the request. */
  isBodyDue: boolean;
  /** Whether something looked for the body before it was known that an operation takes it. */
  isBodyMissed: boolean;
  /** Marks the stream as read to its end. False when something listens for its events, so that Node must end it. */
  endQuietly(): boolean;
}

/** Checks credentials a second time: a request guard knows when, and only their own guard knows how. */
export interface Authenticator {
  /** Throws when they are no longer valid. */
  reauthenticate(request: EdgeRequest): void;
}

/** Receives a body as it arrives. */
export interface BodyReceiver {
  /** False when it needs no more: the rest is discarded. */
  add(chunk: Buffer): boolean;
  /** The body is complete. */
  end(): void;
  /** The client left before the body was complete. */
  abort(): void;
}

export interface EdgeResponse extends Response {
  req: EdgeRequest;
  /** The headers that are set: name, value, name, value. */
  readonly headerList: readonly string[];
  /** Sends a body that has been checked. */
  sendJson(status: number, text: string): void;
  /** Sends a response that has been checked and has no body. */
  sendEmpty(status: number): void;
  /** Whether middleware sees the head before it is sent, and may change it. */
  readonly isHeadReplaced: boolean;
  /** Lets such middleware set its headers now. Throws what it throws. */
  askForHeaders(): void;
  /** Shows all headers to middleware that has replaced `writeHead`. */
  showHead(): void;
}
