import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ForwardedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The body; empty without one. */
  text: string;
}

export interface ForwardedResponse {
  status: number;
  readonly headers: Headers;
  text: string;
}

/** What a proxy changes: the request before it is forwarded, when a promise has ended, and the response to it. */
export interface Fault {
  readonly request?: (request: ForwardedRequest, key: string) => unknown;
  readonly response?: (response: ForwardedResponse, request: ForwardedRequest) => void;
}

/** The headers of a request that reach the service. */
const FORWARDED = ['authorization', 'content-type', 'idempotency-key', 'x-request-id', 'x-verify'];

/** Serves a service, of which `key` is a valid key, with a fault. */
export async function serveWithFault(
  { baseUrl, key }: { baseUrl: string; key: string },
  fault: Fault,
): Promise<{ url: string; server: Server }> {
  const server = createServer(
    // Limits belong to the service behind it. A busy machine may pause between two requests.
    { maxHeaderSize: 65_536, keepAliveTimeout: 120_000 },
    (message, response) =>
      void forward(baseUrl, message, fault, key).then(
        ({ status, headers, text }) => {
          response.writeHead(status, [...headers].flat());
          response.end(text);
        },
        () => response.destroy(),
      ),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function forward(
  baseUrl: string,
  message: IncomingMessage,
  fault: Fault,
  key: string,
): Promise<ForwardedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  // A kept connection would delay the end of the test run.
  const headers = new Headers({ connection: 'close' });
  for (const name of FORWARDED) {
    const value = message.headers[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  const request: ForwardedRequest = {
    method: message.method ?? 'GET',
    url: new URL(message.url!, baseUrl),
    headers,
    text: Buffer.concat(chunks).toString(),
  };
  await fault.request?.(request, key);
  const answer = await fetch(request.url, {
    method: request.method,
    headers,
    ...(request.text !== '' && { body: request.text }),
  });
  const response = { status: answer.status, headers: new Headers(answer.headers), text: await answer.text() };
  for (const name of ['connection', 'content-length', 'keep-alive', 'transfer-encoding']) response.headers.delete(name);
  fault.response?.(response, request);
  return response;
}
