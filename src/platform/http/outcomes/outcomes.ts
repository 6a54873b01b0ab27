import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';
import { isFailure, type Outcome, type OutcomeObserver } from './outcome.js';

/** Bytes of a body that may wait for its client. A smaller one goes to the kernel at once, unless others wait before it. */
const LARGE = 65_536;

/** Reports to observers how each request ended: once, whatever happens to its connection afterwards. */
export class Outcomes {
  readonly #wantsAll: boolean;
  /** What reports the large responses that are yet to be read. */
  readonly #unsent = new Set<() => void>();

  constructor(private readonly observers: readonly OutcomeObserver[]) {
    this.#wantsAll = observers.some(({ failuresOnly }) => !failuresOnly);
  }

  /** A response has been passed to its connection, which may wait for the client to read a large one. */
  answered(response: EdgeResponse, bytes: number): void {
    const { req: request, statusCode: status } = response;
    if (request.isReported) return;
    request.isReported = true;
    if (bytes >= LARGE) this.#whenSent(response, bytes);
    else if (this.#wantsAll || status >= 400 || hasLeft(request)) this.#add(request, status, hasLeft(request), bytes);
  }

  /** Reports a response when the client has read it, but for what the kernel holds, or has left before. */
  #whenSent(response: EdgeResponse, bytes: number): void {
    const { req: request, statusCode: status } = response;
    const { requestId, socket } = request;
    // How fast a client reads says nothing about the service.
    const duration = durationOf(request);
    const report = () => {
      this.#unsent.delete(report);
      response.off('finish', report);
      socket.off('close', report);
      this.#report({ request, requestId, status, isDisconnected: hasLeft(request), bytes, duration });
    };
    // Before the listener of Node, which may close the connection.
    response.prependListener('finish', report);
    socket.on('close', report);
    this.#unsent.add(report);
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

  /** All connections are closed. The event of the last one may come too late. */
  flush(): void {
    for (const report of this.#unsent) report();
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

/** Milliseconds since the head of a request that was admitted. */
function durationOf({ arrivedAt }: EdgeRequest): number | undefined {
  return arrivedAt === undefined ? undefined : performance.now() - arrivedAt;
}

function hasLeft({ socket }: EdgeRequest): boolean {
  return socket.readableEnded || socket.destroyed;
}
