import { Logger } from '@nestjs/common';
import type { EdgeRequest } from '../request/edge-request.js';
import type { Outcome, OutcomeObserver } from './outcome.js';
import type { RequestIds } from './request-id.js';
import { traceIdOf } from './trace-id.js';

export const LOGGED_REQUESTS = ['all', 'errors', 'none'] as const;
export type LoggedRequests = (typeof LOGGED_REQUESTS)[number];

/** Milliseconds. */
const PERIOD = 1000;

/** Lines in a period, unless all requests are logged: the log must not make an overload or an attack worse. */
const MAX_FAILURES = 100;

/**
 * Writes a line for each request, or for each that failed. Of what a client sent, a line contains only the method,
 * which Node has validated, and ids of a few safe characters: never a path, a body or a key.
 */
export class RequestLog implements OutcomeObserver {
  readonly #logger = new Logger('Request');
  #linesLeft = MAX_FAILURES;
  #notLogged = 0;
  #timer?: NodeJS.Timeout;

  constructor(
    readonly failuresOnly: boolean,
    private readonly requestIds: RequestIds,
  ) {}

  add(outcome: Outcome): void {
    if (this.failuresOnly && !this.#takeLine()) this.#notLogged += 1;
    else this.#logger.log(lineOf(outcome, this.requestIds));
  }

  #takeLine(): boolean {
    this.#timer ??= setTimeout(() => this.flush(), PERIOD).unref();
    this.#linesLeft -= 1;
    return this.#linesLeft >= 0;
  }

  /** Reports how many requests have no line. */
  flush(): void {
    clearTimeout(this.#timer);
    const count = this.#notLogged;
    this.#timer = undefined;
    this.#linesLeft = MAX_FAILURES;
    this.#notLogged = 0;
    if (count > 0)
      this.#logger.warn({ count }, `Further requests failed within a second; only ${MAX_FAILURES} are logged.`);
  }
}

function lineOf(
  { request, requestId, status, isDisconnected, bytes, duration }: Outcome,
  requestIds: RequestIds,
): object {
  return {
    method: request?.method,
    operationId: request?.operation?.id,
    status,
    ...(isDisconnected && { disconnected: true }),
    // Microseconds are enough.
    durationMs: duration === undefined ? undefined : Math.round(duration * 1000) / 1000,
    bytes,
    keyName: request?.keyName,
    requestId,
    traceId: request && loggedTraceId(request, requestIds),
  };
}

/** A key of `API_KEYS` can have the form of a trace id: `openssl rand -hex 16` makes such keys. */
function loggedTraceId({ headers }: EdgeRequest, requestIds: RequestIds): string | undefined {
  const traceId = traceIdOf(headers.traceparent);
  return traceId === undefined || requestIds.hasKey(traceId, headers.authorization ?? '') ? undefined : traceId;
}
