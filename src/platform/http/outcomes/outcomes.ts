import type { EdgeRequest } from '../request/edge-request.js';
import { isFailure, type Outcome, type OutcomeObserver } from './outcome.js';

/** Reports to observers how each request ended: once, whatever happens to its connection afterwards. */
export class Outcomes {
  readonly #wantsAll: boolean;

  constructor(private readonly observers: readonly OutcomeObserver[]) {
    this.#wantsAll = observers.some(({ failuresOnly }) => !failuresOnly);
  }

  /** A response has been passed to its connection. */
  answered(request: EdgeRequest, status: number, bytes: number): void {
    if (request.isReported) return;
    request.isReported = true;
    const isDisconnected = hasLeft(request);
    if (this.#wantsAll || isDisconnected || status >= 400) this.#add(request, status, isDisconnected, bytes);
  }

  /** The connection was closed before the response was complete. */
  abandoned(request: EdgeRequest): void {
    if (request.isReported) return;
    request.isReported = true;
    this.#add(request, undefined, true, 0);
  }

  /** The service stops before it has a response. */
  aborted(request: EdgeRequest): void {
    if (request.isReported) return;
    request.isReported = true;
    this.#add(request, undefined, false, 0);
  }

  /** An error was written to the connection, without a response object of Node. */
  refused(request: EdgeRequest | undefined, requestId: string, status: number, bytes: number): void {
    if (request) request.isReported = true;
    const isDisconnected = request !== undefined && hasLeft(request);
    this.#report({ request, requestId, status, isDisconnected, bytes, duration: request && durationOf(request) });
  }

  flush(): void {
    for (const observer of this.observers) observer.flush?.();
  }

  #add(request: EdgeRequest, status: number | undefined, isDisconnected: boolean, bytes: number): void {
    const { requestId } = request;
    this.#report({ request, requestId, status, isDisconnected, bytes, duration: durationOf(request) });
  }

  #report(outcome: Outcome): void {
    for (const observer of this.observers) {
      if (!observer.failuresOnly || isFailure(outcome)) observer.add(outcome);
    }
  }
}

/** Milliseconds since the head of a request that was taken on. */
function durationOf({ arrivedAt }: EdgeRequest): number | undefined {
  return arrivedAt === undefined ? undefined : performance.now() - arrivedAt;
}

function hasLeft({ socket }: EdgeRequest): boolean {
  return socket.readableEnded || socket.destroyed;
}
