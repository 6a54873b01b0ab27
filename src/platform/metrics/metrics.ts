import type { Registry } from 'prom-client';
import type { Contract } from '../contract/contract.js';
import type { OutcomeObserver } from '../http/outcomes/outcome.js';
import { droppedLines } from '../process/logger.js';
import { addCommitMetrics } from './commit-metrics.js';
import { addDatabaseMetrics, type DatabaseParts } from './database-metrics.js';
import { RequestMetrics } from './request-metrics.js';

type PromClient = typeof import('prom-client');

interface Version {
  /** Of the package. */
  readonly build: string;
  /** Of openapi.yaml. */
  readonly contract: string;
}

/** The current load of the HTTP server. */
interface Load {
  readonly inFlight: number;
  readonly waiting: number;
}

/** Metrics for Prometheus. Label values come from the contract, the configuration or the keys, never from a request. */
export class Metrics {
  /** Receives the outcomes of requests. */
  readonly requests: OutcomeObserver;

  /** Loads `prom-client`, which nothing else does. */
  static async of(contract: Contract, version: Version): Promise<Metrics> {
    // A CommonJS package: a bundle and Node find its exports in different places.
    const loaded = (await import('prom-client')) as PromClient & { default?: PromClient };
    return new Metrics(loaded.default ?? loaded, contract, version);
  }

  readonly #registry: Registry;
  #check: () => Promise<object> = () => Promise.resolve({});
  /** The result of the last check. */
  #passed: object = {};

  private constructor(
    private readonly client: PromClient,
    contract: Contract,
    { build, contract: contractVersion }: Version,
  ) {
    const registry = new client.Registry();
    const registers = [registry];
    this.#registry = registry;
    client.collectDefaultMetrics({ register: registry });
    this.requests = new RequestMetrics(client, registry, contract);
    addCommitMetrics(client, registry);
    const versions = new client.Gauge({
      name: 'build_info',
      help: 'The versions of the package, of openapi.yaml and of Node; always 1.',
      labelNames: ['version', 'contract_version', 'node_version'],
      registers,
    });
    versions.set({ version: build, contract_version: contractVersion, node_version: process.version }, 1);
    registry.registerMetric(
      new client.Counter({
        name: 'log_lines_dropped_total',
        help: 'Lines of the log that were dropped, because it could not be written.',
        registers: [],
        collect() {
          this.reset();
          this.inc(droppedLines());
        },
      }),
    );
  }

  /** Call once, after the application is created. `checks` are those of readiness; true means passed. */
  watch(load: () => Load, checks: () => Promise<object>, database: DatabaseParts): void {
    this.#addGauge('http_server_requests_in_flight', 'Requests that are being served.', () => load().inFlight);
    this.#addGauge('http_server_requests_waiting', 'Requests that wait for their turn.', () => load().waiting);
    this.#check = checks;
    const passed = () => this.#passed;
    this.#registry.registerMetric(
      new this.client.Gauge({
        name: 'readiness_check',
        help: 'The checks of /ready: 1 when passed, otherwise 0.',
        labelNames: ['check'],
        registers: [],
        collect() {
          for (const [check, isPassed] of Object.entries(passed())) this.set({ check }, Number(isPassed));
        },
      }),
    );
    addDatabaseMetrics(this.client, this.#registry, database);
  }

  #addGauge(name: string, help: string, read: () => number): void {
    this.#registry.registerMetric(
      new this.client.Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    // Before the others are read: the checks themselves wait for connections of the pool.
    this.#passed = await this.#check();
    return this.#registry.metrics();
  }
}
