import { Agent, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Client as Calls, createClient } from '../../../client/src/client.js';
import { HttpResponse } from './http-response.js';
import { contractCheck } from '../contract/contract-check.js';
import { writeJson } from '../contract/exact-json.js';
import type { CheckExchange } from './exchange.js';

/** Statuses with which a `Response` must not have a body, not even an empty one. */
const BODILESS = new Set([204, 205, 304]);

export interface ClientOptions {
  readonly port: number;
  /** The default bearer token. */
  readonly key?: string;
  readonly check?: CheckExchange;
}

export interface RequestOptions {
  /** Null omits a default header. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** Null sends no key. */
  readonly key?: string | null;
  /** Text and bytes are sent unchanged, anything else as JSON with exact bigints. */
  readonly body?: unknown;
}

/** Calls a service over keep-alive connections and checks every response against the contract. */
export class Client {
  /** The typed client for callers, with a method for each operation of openapi.yaml. */
  readonly call: Calls;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly check: CheckExchange;

  constructor(private readonly options: ClientOptions) {
    this.check = options.check ?? contractCheck();
    this.call = this.callsWith(options.key ?? '');
  }

  /** The typed client with another key. */
  callsWith(key: string): Calls {
    return createClient({ baseUrl: '/v1', key, fetch: (target, init) => this.fetch(target, init) });
  }

  get(target: string, options?: RequestOptions): Promise<HttpResponse> {
    return this.request('GET', target, options);
  }

  head(target: string, options?: RequestOptions): Promise<HttpResponse> {
    return this.request('HEAD', target, options);
  }

  post(target: string, body: unknown, options?: RequestOptions): Promise<HttpResponse> {
    return this.request('POST', target, { ...options, body });
  }

  async request(method: string, target: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const body = bodyBytes(options.body);
    const headers = this.headers(options, body);
    const response = await this.send(method, target, headers, body);
    this.check({ method, target, headers, body, response, raw: false });
    return response;
  }

  /** Sends a request of the typed client, so that its response is checked as well. */
  private async fetch(target: string, { method = 'GET', headers = {}, body }: RequestInit): Promise<Response> {
    const sent = { key: null, headers: headers as Record<string, string>, body };
    const { status, rawHeaders, bytes } = await this.request(method, target, sent);
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!]] : []));
    return new Response(BODILESS.has(status) ? null : bytes, { status, headers: pairs as [string, string][] });
  }

  close(): void {
    this.agent.destroy();
  }

  private headers({ key = this.options.key, headers = {}, body }: RequestOptions, bytes: Buffer): OutgoingHttpHeaders {
    const sent = new Map<string, string | readonly string[] | null>();
    if (key) sent.set('authorization', `Bearer ${key}`);
    if (body !== undefined) {
      sent.set('content-type', 'application/json');
      sent.set('content-length', String(bytes.length));
    }
    for (const [name, value] of Object.entries(headers)) sent.set(name.toLowerCase(), value);
    return Object.fromEntries([...sent].filter(([, value]) => value !== null)) as OutgoingHttpHeaders;
  }

  private send(method: string, path: string, headers: OutgoingHttpHeaders, body: Buffer): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const interim: number[] = [];
      const { port } = this.options;
      const call = request({ host: '127.0.0.1', port, agent: this.agent, method, path, headers });
      call.on('information', ({ statusCode }) => interim.push(statusCode));
      call.on('response', (message) => {
        readResponse(message, interim)
          // An early rejection: stop sending the body.
          .finally(() => call.writableFinished || call.destroy())
          .then(resolve, reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}

async function readResponse(message: IncomingMessage, interim: readonly number[]): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return new HttpResponse(message.statusCode!, message.rawHeaders, Buffer.concat(chunks), interim);
}

function bodyBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : writeJson(body));
}
