import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { ErrorBody, FAILED } from '../platform/errors/error-body.js';
import { REQUEST_ID, type RequestIds } from '../platform/http/outcomes/request-id.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { StartError } from '../platform/process/start-error.js';
import type { Readiness } from './readiness.js';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

const JSON_TYPE = 'application/json';

/** Serves metrics and health on a port of its own, which is not for callers: it stays responsive during an overload and a stop. */
export class AdminServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #server = createServer((request, response) => void this.#respond(request, response));

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly requestIds: RequestIds,
    private readonly address: ListenOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, port } = this.address;
    this.#server.listen({ host, port });
    await once(this.#server, 'listening').catch((error: NodeJS.ErrnoException) => {
      // Any other error is about HOST, which the main port reports as well.
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

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, text, type = JSON_TYPE } = await this.#answerTo(request).catch(() => errorOf(FAILED));
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [REQUEST_ID]: this.requestIds.of(request.headers),
      ...(status === 405 && { Allow: 'GET, HEAD' }),
    });
    response.end(text);
  }

  async #answerTo({ method, url }: IncomingMessage): Promise<Answer> {
    const [path = ''] = (url ?? '').split('?');
    const answer = this.#answers.get(path);
    if (!answer) return errorOf(ErrorBody.of('NOT_FOUND', 'The admin port serves /metrics, /live and /ready.'));
    if (method === 'GET' || method === 'HEAD') return answer();
    return errorOf(ErrorBody.of('METHOD_NOT_ALLOWED', 'The admin port allows GET and HEAD.'));
  }

  readonly #answers = new Map<string, () => Promise<Answer>>([
    ['/metrics', async () => ({ status: 200, text: await this.metrics.text(), type: this.metrics.contentType })],
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
