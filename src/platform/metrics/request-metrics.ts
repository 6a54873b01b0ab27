import type { Counter, Histogram, Registry } from 'prom-client';
import type { Contract } from '../contract/contract.js';
import type { Outcome, OutcomeObserver } from '../http/outcomes/outcome.js';

type PromClient = typeof import('prom-client');
type Observe = (seconds: number) => void;

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The label of requests for no operation of the contract. */
const NO_OPERATION = 'none';

/** Counts and times requests by operation and class of status. */
export class RequestMetrics implements OutcomeObserver {
  readonly failuresOnly = false;
  /** By operation and class; finding a series by its labels is the larger part of the cost. */
  readonly #series = new Map<string, Observe[]>();
  readonly #durations: Histogram;
  readonly #disconnected: Counter;
  readonly #unauthorised: Counter;
  readonly #deprecated: Counter;

  constructor(client: PromClient, registry: Registry, { operations }: Contract) {
    const registers = [registry];
    this.#durations = new client.Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response, without the wait for its body, by operation and class of status.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.#disconnected = new client.Counter({
      name: 'http_server_requests_disconnected_total',
      help: 'Requests whose connection, or the side of the client, was closed before the response was complete.',
      labelNames: ['operation'],
      registers,
    });
    this.#unauthorised = new client.Counter({
      name: 'authentication_failures_total',
      help: 'Requests without a valid API key.',
      labelNames: ['operation'],
      registers,
    });
    this.#deprecated = new client.Counter({
      name: 'deprecated_operation_requests_total',
      help: 'Requests for a deprecated operation with a valid API key, by the name of the key.',
      labelNames: ['operation', 'key'],
      registers,
    });
    // Start each series at 0: one that begins with its first event shows no increase for it.
    for (const operation of [...operations.map(({ id }) => id), NO_OPERATION]) {
      this.#disconnected.inc({ operation }, 0);
      this.#durations.zero({ operation, status: '5xx' });
      if (operation !== NO_OPERATION) this.#unauthorised.inc({ operation }, 0);
    }
  }

  add({ request, status, isDisconnected, duration }: Outcome): void {
    const operation = request?.operation?.id ?? NO_OPERATION;
    // How fast a caller sends its body says nothing about the service.
    const time = (duration ?? 0) - (request?.bodyWait ?? 0);
    if (status !== undefined) this.#observe(operation, Math.floor(status / 100), time / 1000);
    if (isDisconnected) this.#disconnected.inc({ operation });
    if (status === 401 || (status === 429 && lacksKey(request))) this.#unauthorised.inc({ operation });
    if (request?.operation?.deprecation && request.keyName !== undefined) {
      this.#deprecated.inc({ operation, key: request.keyName });
    }
  }

  #observe(operation: string, statusClass: number, seconds: number): void {
    let classes = this.#series.get(operation);
    if (!classes) this.#series.set(operation, (classes = []));
    const observe = (classes[statusClass] ??= this.#newSeries(operation, statusClass));
    observe(seconds);
  }

  #newSeries(operation: string, statusClass: number): Observe {
    const series = this.#durations.labels({ operation, status: `${statusClass}xx` });
    return (seconds) => series.observe(seconds);
  }
}

/** Whether a 429 is due to requests without a valid key. */
function lacksKey(request: Outcome['request']): boolean {
  return request?.operation?.scheme !== undefined && request.keyName === undefined;
}
