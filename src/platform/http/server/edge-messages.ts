import type { ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { EdgeResponse } from '../request/edge-request.js';
import type { OperationRoute } from '../request/operation-route.js';
import { declaredLength, hasBody } from '../request/body-length.js';
import type { EdgeHooks } from './edge-hooks.js';
import { edgeRequests } from './edge-requests.js';
import { discardBody, isIncomplete, LINGER_BYTES, markAnsweredEarly } from './early-responses.js';
import { keepHead, messageOf } from '../response/given-headers.js';
import { HeldBody } from '../response/held-body.js';
import { jsonResponses } from '../response/json-responses.js';
import { reasonToRefuse } from '../response/refused-writes.js';
import { bytesOf, callbackOf, callSoon, sizeOf } from '../response/write-arguments.js';

type Chunk = string | Uint8Array;

type EdgeMessages = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * The classes of the server's requests and responses. Their prototypes inherit from Express' own: Express would otherwise
 * change the prototype of both on every request, which halves its speed. The rules for every response are applied here,
 * where no handler can bypass them.
 */
export function edgeMessages(app: Express, hooks: EdgeHooks): EdgeMessages {
  const { isDraining, onEnd, onAnswer, refuseWrite, assertHeaders, assertHead, assertLength, checkedBody } = hooks;
  const EdgeIncomingMessage = edgeRequests(app.request, hooks);
  class EdgeServerResponse extends jsonResponses(app.response) {
    #locals?: object = undefined;
    #lingers = false;
    /** Of the body that was written so far. */
    #bytes = 0;
    #held?: HeldBody = undefined;
    /** Whether middleware sets its last headers. */
    #isAsking = false;

    get locals(): object {
      return (this.#locals ??= Object.create(null) as object);
    }

    set locals(locals: object) {
      this.#locals = locals;
    }

    override writeHead(status: number, ...rest: unknown[]): this {
      if (this.#isAsking) return keepHead(this, status, rest);
      if (this.#mustDrop(status, [], messageOf(rest))) return this;
      if (this.#isUnchecked) return keepHead(this, status, rest);
      if (this.isHeadReplaced && this.#isHeadRefused(status, rest)) return this;
      if (isDraining()) this.setHeader('Connection', 'close');
      if (isIncomplete(this.req)) this.#answerEarly();
      return super.writeHead(status, ...rest);
    }

    /** Keeps the connection when the rest of the body is small enough to read; otherwise lingers and closes it. */
    #answerEarly(): void {
      markAnsweredEarly(this.req);
      // A client that expects "100 Continue" may or may not send the body: the start of the next request is uncertain.
      const canKeep = declaredLength(this.req) <= LINGER_BYTES && !this.req.headers.expect;
      if (canKeep && this.shouldKeepAlive && this.getHeader('Connection') !== 'close') return;
      this.setHeader('Connection', 'close');
      this.#lingers = true;
    }

    /**
     * Whether to drop a write: while the handler runs, with an undeclared status or a status message that HTTP cannot send,
     * before the response is stored for an Idempotency-Key, or after it has ended. Throwing would end the process where an
     * event or a stream writes.
     */
    #mustDrop(status: number, args: readonly unknown[] = [], statusMessage = this.statusMessage): boolean {
      const { operation, keyed } = this.req;
      if (!operation) return false;
      if (!this.writableEnded) {
        const reason = this.headersSent ? undefined : reasonToRefuse(this.req, operation, status, statusMessage);
        if (!reason && !keyed?.mustWait) return false;
        // The class that this one extends at run time is Express'.
        if (reason) refuseWrite(this as unknown as EdgeResponse, reason);
      }
      callSoon(args);
      return true;
    }

    /** Whether something other than the platform writes the response of an operation. */
    get #isUnchecked(): boolean {
      const { operation, isChecked } = this.req;
      return operation !== undefined && !isChecked && !this.headersSent;
    }

    /** Checks such a response. Whether a 500 was sent instead. */
    #isRefused(args: readonly unknown[], check: (response: EdgeResponse, operation: OperationRoute) => void): boolean {
      // The class that this one extends at run time is Express'.
      const response = this as unknown as EdgeResponse;
      try {
        check(response, this.req.operation!); // it is unchecked
        return false;
      } catch (error) {
        // As above, an error would end the process where an event or a stream writes.
        refuseWrite(response, error as Error);
        callSoon(args);
        return true;
      }
    }

    /** Checks the head of such a response. Whether nothing must be sent: a 500 was, or the whole body is checked first. */
    #isHeldBack(args: readonly unknown[]): boolean {
      const isRefused = this.#isRefused(args, (response, operation) => {
        if (this.#held || assertHead(response, operation)) (this.#held ??= new HeldBody()).add(args, this.req.memory);
      });
      if (isRefused) return true;
      this.req.isChecked = this.#held === undefined;
      if (this.#held) callSoon(args);
      return this.#held !== undefined;
    }

    /** Checks the body of such a response. The arguments to end it with; undefined when a 500 was sent. */
    #checkedEnd(args: readonly unknown[]): readonly unknown[] | undefined {
      let ending = args;
      const isRefused = this.#isRefused(args, (response, operation) => {
        this.#held?.add(args, this.req.memory);
        if (this.#held) ending = [this.#held.whole(), callbackOf(args)];
        const given = bytesOf(ending);
        const checked = checkedBody(response, operation, given);
        if (checked !== given) ending = [checked, callbackOf(args)];
      });
      if (isRefused) return undefined;
      this.req.isChecked = true;
      return ending;
    }

    /** Checks the head that middleware which has replaced `writeHead` passes on. Whether a 500 was sent instead. */
    #isHeadRefused(status: number, rest: unknown[]): boolean {
      if (!this.req.operation || this.headersSent) return false;
      keepHead(this, status, rest);
      return this.#isRefused([], assertHeaders);
    }

    /** Lets middleware that has replaced `writeHead` set its headers before they are checked. Throws what it throws. */
    askForHeaders(): void {
      const writeHead = this.writeHead.bind(this);
      delete (this as Partial<this>).writeHead;
      this.#isAsking = true;
      try {
        writeHead(this.statusCode);
      } finally {
        this.#isAsking = false;
      }
    }

    /** Asks for such headers, and checks them. Whether a 500 was sent instead. */
    #hasRefusedHeaders(args: readonly unknown[]): boolean {
      if (!this.req.operation || this.headersSent || !this.isHeadReplaced) return false;
      return this.#isRefused(args, (response, operation) => {
        this.askForHeaders();
        if (this.req.isChecked) assertHeaders(response, operation);
      });
    }

    override flushHeaders(): void {
      if (this.#mustDrop(this.statusCode) || this.#hasRefusedHeaders([])) return;
      if (this.#isUnchecked && this.#isHeldBack([])) return;
      super.flushHeaders();
    }

    override write(...args: unknown[]): boolean {
      // True, as if there were room for more: a stream that is piped into the response must reach its end.
      if (this.#mustDrop(this.statusCode, args) || this.#hasRefusedHeaders(args)) return true;
      if (this.#isUnchecked && this.#isHeldBack(args)) return true;
      const bytes = this.#bytes + sizeOf(args[0], args[1]);
      // Nothing more is written to a response that is cut.
      if (this.#isMisstated(bytes, false, args)) return !this.destroyed;
      this.#bytes = bytes;
      return super.write(...(args as [Chunk]));
    }

    /** Whether the head declares another length of the body. Then a 500 was sent instead, or the connection is cut. */
    #isMisstated(bytes: number, hasEnded: boolean, args: readonly unknown[]): boolean {
      if (bytes === this.textLength || !this.req.operation || this.destroyed) return false;
      return this.#isRefused(args, (response, operation) => assertLength(response, operation, bytes, hasEnded));
    }

    /** Closing a connection with unread bytes resets it, and a client that is still sending loses the response. */
    override end(...given: unknown[]): this {
      if (this.#mustDrop(this.statusCode, given) || this.#hasRefusedHeaders(given)) return this;
      const args = this.#isUnchecked ? this.#checkedEnd(given) : given;
      if (!args) return this;
      const bytes = this.#bytes + sizeOf(args[0], args[1]);
      if (this.#isMisstated(bytes, true, args)) return this;
      this.#bytes = bytes;
      // Node's `end` writes a missing head itself, after the decision to linger.
      if (!this.headersSent && isIncomplete(this.req)) this.#answerEarly();
      if (!this.#lingers || this.req.complete) {
        super.end(...(args as []));
        if (!hasBody(this.req)) this.req.endQuietly();
        onEnd(this);
        this.#reportAnswer();
        return this;
      }
      this.#lingers = false;
      const callback = callbackOf(args);
      const [chunk, encoding] = args.filter((argument) => argument !== callback) as [Chunk?, BufferEncoding?];
      if (chunk) {
        // Lets the caller recognise the end of the body long before the connection closes.
        if (!this.headersSent) this.setHeader('Content-Length', Buffer.byteLength(chunk, encoding));
        super.write(chunk, encoding ?? 'utf8');
      }
      this.flushHeaders();
      this.#reportAnswer();
      discardBody(this.req, () => super.end(callback));
      return this;
    }

    #reportAnswer(): void {
      // Node sends no body then.
      onAnswer(this as unknown as EdgeResponse, this.req.method === 'HEAD' ? 0 : this.#bytes);
    }
  }

  Object.assign(app, { request: EdgeIncomingMessage.prototype, response: EdgeServerResponse.prototype });
  return { IncomingMessage: EdgeIncomingMessage, ServerResponse: EdgeServerResponse as typeof ServerResponse };
}
