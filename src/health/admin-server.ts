import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrorBody, FAILED } from '../platform/errors/error-body.js';
import { REQUEST_ID, type RequestIds } from '../platform/http/outcomes/request-id.js';
import { pathOf } from '../platform/http/request/path-of.js';
import { allowOf, notAllowed } from '../platform/http/response/allow.js';
import { createPlainServer, type PlainRequest } from '../platform/http/server/plain-server.js';
import type { ArrivalTimeouts } from '../platform/http/server/server-options.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { StartError } from '../platform/process/start-error.js';
import type { Readiness } from './readiness.js';

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly requestIds: RequestIds;
  readonly timeouts: ArrivalTimeouts;
}

interface Answer {
  readonly status: number;
  /** Absent from a response without a body. */
  readonly text?: string;
  readonly type?: string;
}

const ALLOW = allowOf(['GET']);

const JSON_TYPE = 'application/json';

/** Serves metrics and health on a port of its own, which is not for callers: it stays responsive during an overload and a stop. */
export class AdminServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #server: Server;

  constructor(
    private readonly readiness: Readiness,
    private readonly options: AdminOptions,
  ) {
    const { timeouts, requestIds } = options;
    this.#server = createPlainServer(timeouts, requestIds, (...exchange) => this.#respond(...exchange));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, port } = this.options;
    this.#server.listen({ host, port });
    await once(this.#server, 'listening').catch((error: NodeJS.ErrnoException) => {
      // Any other error is about HOST or open files, which the main port reports as well.
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
      throw new StartError(`The admin port ${port} cannot be used (${error.code}); set another ADMIN_PORT.`);
    });
  }

  /** After the operations have stopped. */
  onApplicationShutdown(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #respond(request: PlainRequest, response: ServerResponse, refusal?: ErrorBody): Promise<void> {
    const answer = refusal ? errorOf(refusal) : await this.#answerTo(request).catch(() => errorOf(FAILED));
    const { status, text, type = JSON_TYPE } = answer;
    response.writeHead(status, {
      ...(text !== undefined && { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [REQUEST_ID]: request.requestId,
      ...((status === 204 || status === 405) && { Allow: ALLOW }),
    });
    response.end(text);
  }

  async #answerTo({ method = '', url = '' }: PlainRequest): Promise<Answer> {
    const answer = this.#answers.get(pathOf(url));
    if (!answer) return errorOf(ErrorBody.of('NOT_FOUND', 'The admin port serves /metrics, /live and /ready.'));
    if (method === 'GET' || method === 'HEAD') return answer();
    if (method === 'OPTIONS') return { status: 204 };
    return errorOf(ErrorBody.of('METHOD_NOT_ALLOWED', notAllowed(method, pathOf(url), ALLOW)));
  }

  readonly #answers = new Map<string, () => Promise<Answer>>([
    [
      '/metrics',
      async () => ({ status: 200, text: await this.options.metrics.text(), type: this.options.metrics.contentType }),
    ],
    ['/live', async () => ({ status: 200, text: JSON.stringify({ status: 'live' }) })],
    ['/ready', () => this.#ready()],
  ]);

  async #ready(): Promise<Answer> {
    const report = await this.readiness.check();
    return { status: report.status === 'ready' ? 200 : 503, text: JSON.stringify(report) };
  }
}

function errorOf(body: ErrorBody): Answer {
  return { status: body.status, text: body.toJson() };
}
