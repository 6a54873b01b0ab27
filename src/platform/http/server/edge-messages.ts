import { IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Express, Request, Response } from 'express';
import { LeanResponse } from './lean-response.js';
import type { OperationRoute } from '../request/operation-route.js';
import { pathOf } from '../request/path-of.js';
import { type Query, readQuery } from '../request/read-query.js';

type Chunk = string | Uint8Array;

/** Bytes of a refused body that are still read, and milliseconds for which. */
const LINGER_BYTES = 16_777_216;
export const LINGER_TIME = 1000;

/** Requests that were answered before their body had arrived. */
const unfinished = new WeakMap<object, IncomingMessage>();

/** Whether the request that a connection is still sending has its answer: nothing more may be written. */
export function isAnswered(socket: object): boolean {
  return unfinished.get(socket)?.complete === false;
}

export const ON_EVERY_ANSWER = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/**
 * The classes that the server makes its requests and responses of. Their prototypes carry Express' methods from the
 * start: Express would otherwise change the prototype of both on every request, which costs it half of its speed.
 * Whatever must hold for every answer is done here, where no handler can go round it.
 */
export function edgeMessages(app: Express, isDraining: () => boolean) {
  class EdgeIncomingMessage extends IncomingMessage {
    operation?: OperationRoute = undefined;
    readonly baseUrl = '';
    #query?: Query = undefined;

    get path(): string {
      return pathOf(this.url!);
    }

    get query(): Query {
      return (this.#query ??= readQuery(this.url!));
    }
  }

  class EdgeServerResponse extends LeanResponse<EdgeIncomingMessage> {
    #locals?: object = undefined;
    #lingers = false;

    get locals(): object {
      return (this.#locals ??= Object.create(null) as object);
    }

    set locals(locals: object) {
      this.#locals = locals;
    }

    sendJson(status: number, text: string): void {
      const length = Buffer.byteLength(text);
      this.putHeader('Content-Type', 'application/json');
      this.putHeader('Content-Length', length);
      this.writeHead(status);
      // What is ASCII alone needs no encoding.
      this.end(text, length === text.length ? 'latin1' : 'utf8');
    }

    override writeHead(status: number, ...rest: unknown[]): this {
      const { operation } = this.req;
      if (operation) {
        assertDeclared(operation, status);
        this.#add(operation.headers);
      }
      this.#add(ON_EVERY_ANSWER);
      if (isDraining()) this.setHeader('Connection', 'close');
      if (this.#isEarly()) this.#giveUpOnBody();
      return super.writeHead(status, ...(rest as []));
    }

    #add(headers: OutgoingHttpHeaders): void {
      for (const name in headers) {
        if (!this.hasHeader(name)) this.putHeader(name, headers[name]!);
        else if (name === 'Link') this.appendHeader(name, headers[name] as string);
      }
    }

    /** Whether the body of the request is still on its way. */
    #isEarly(): boolean {
      return !this.req.complete && hasBody(this.req);
    }

    /** The connection goes on after the rest of the body, if it has a near end; else it goes on for a little only. */
    #giveUpOnBody(): void {
      const { headers, socket } = this.req;
      unfinished.set(socket, this.req);
      const rest = headers['transfer-encoding'] ? Infinity : Number(headers['content-length']);
      // Whoever waits for "100 Continue" may send the body or may not: nobody can tell where the next request begins.
      if (rest <= LINGER_BYTES && !headers.expect) return;
      this.setHeader('Connection', 'close');
      this.#lingers = rest > LINGER_BYTES;
    }

    /** To close a connection with bytes unread resets it, and a client that is still sending loses the answer. */
    override end(...args: unknown[]): this {
      // A head that is missing would be written within Node's own `end`, too late to ask whether to linger.
      if (this.#isEarly() && !this.headersSent) this.#giveUpOnBody();
      if (!this.#lingers) return super.end(...(args as []));
      this.#lingers = false;
      const callback = args.find((argument) => typeof argument === 'function') as (() => void) | undefined;
      const [chunk, encoding] = args.filter((argument) => argument !== callback) as [Chunk?, BufferEncoding?];
      if (chunk) {
        // The caller knows then that this is all, long before the end of the connection.
        if (!this.headersSent) this.setHeader('Content-Length', Buffer.byteLength(chunk, encoding));
        this.write(chunk, encoding!);
      }
      this.flushHeaders();
      linger(this.req, () => super.end(callback));
      return this;
    }
  }

  Object.setPrototypeOf(EdgeIncomingMessage.prototype, app.request as object);
  const lean = Object.getOwnPropertyDescriptors(LeanResponse.prototype);
  Object.setPrototypeOf(EdgeServerResponse.prototype, Object.create(app.response as object, lean));
  app.request = EdgeIncomingMessage.prototype as unknown as Request;
  app.response = EdgeServerResponse.prototype as unknown as Response;
  return { IncomingMessage: EdgeIncomingMessage, ServerResponse: EdgeServerResponse };
}

/** Thrown before a byte is sent, so the caller gets a 500, which every operation declares, and the log the reason. */
export function assertDeclared(operation: OperationRoute, status: number): void {
  if (operation.responses.has(status)) return;
  throw new Error(`${operation.id} returned ${status}, which openapi.yaml does not declare`);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads on, and forgets what it reads, until the body ends or has had its chance. */
function linger(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const stop = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    done();
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) stop();
  };
  const timer = setTimeout(stop, LINGER_TIME);
  request.on('data', count).once('end', stop).once('close', stop);
}
