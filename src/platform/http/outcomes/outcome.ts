import type { EdgeRequest } from '../request/edge-request.js';

/** How a request ended. */
export interface Outcome {
  /** Absent when it could not be read. */
  readonly request?: EdgeRequest;
  readonly requestId: string;
  /** Absent when the connection was closed before the response was complete. */
  readonly status?: number;
  /** Whether the client closed the connection, or only its side, before the response: a server cannot tell which. */
  readonly isDisconnected: boolean;
  /** Of the body of the response. */
  readonly bytes: number;
  /** Milliseconds since the request arrived; absent when it was answered without being admitted. */
  readonly duration?: number;
}

/** Receives the outcomes of requests. */
export interface OutcomeObserver {
  /** Whether it needs only requests that failed; the others then cost nothing. */
  readonly failuresOnly: boolean;
  add(outcome: Outcome): void;
  /** The last request has ended. */
  flush?(): void;
}

/** Whether the request got an Error, or perhaps nothing. */
export function isFailure({ status, isDisconnected }: Pick<Outcome, 'status' | 'isDisconnected'>): boolean {
  return isDisconnected || status === undefined || status >= 400;
}
