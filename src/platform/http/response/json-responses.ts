import type { Express, Response } from 'express';
import { addLargeResult } from '../../process/end-of-turn.js';
import { LARGE_RESULT } from '../../process/large-results.js';
import { writeJson } from '../../values/exact-json.js';
import { readJson } from '../../values/json-reader.js';
import { COMMON_HEADERS, type FixedHeaders } from '../request/fixed-headers.js';
import { assertRoomForResponse } from '../request/request-memory.js';
import { listedHeaders } from './listed-headers.js';

/**
 * A class of responses that send JSON which has been checked. It passes the body through `json` and `send` where middleware
 * has replaced them, and shows the whole head to middleware that has replaced `writeHead`, as Express does.
 */
export function jsonResponses(express: Express['response']) {
  class JsonResponses extends listedHeaders(express) {
    #isJson = false;
    /** The bytes of such a text, which its head declares; -1 before. */
    protected textLength = -1;
    /** What middleware was asked to send. */
    #offered?: { readonly status: number; readonly text: string } = undefined;

    protected override get fixedHeaders(): FixedHeaders {
      const headers = this.req.operation?.headers ?? COMMON_HEADERS;
      return this.#isJson ? headers.ofJson : headers;
    }

    protected override get requestId(): string {
      return this.req.requestId;
    }

    /** Throws Overloaded when there is no room for a large text that a client reads. */
    sendJson(status: number, text: string): void {
      const length = Buffer.byteLength(text);
      // SQLite has read it in this turn, and PostgreSQL's rows became a text.
      if (length >= LARGE_RESULT) addLargeResult();
      assertRoomForResponse(this.req, length);
      const isReplaced = this.json !== json || this.send !== send;
      // An error replaces a response that middleware did not send: it may ignore a second one.
      if (!isReplaced || this.#offered) return this.#sendText(status, text, length);
      this.#offered = { status, text };
      this.statusCode = status;
      this.json(readJson(Buffer.from(text)));
    }

    #sendText(status: number, text: string, length = Buffer.byteLength(text)): void {
      if (this.hasHeader('Content-Type')) this.removeHeader('Content-Type');
      this.#isJson = true;
      this.textLength = length;
      this.req.isChecked = true;
      if (this.isHeadReplaced) {
        this.showHead();
        this.setHeader('Content-Length', length);
        this.writeHead(status);
      } else {
        this.writeHead(status, ['Content-Length', length]);
      }
      // ASCII needs no encoding.
      this.end(text, length === text.length ? 'latin1' : 'utf8');
    }

    sendEmpty(status: number): void {
      this.req.isChecked = true;
      this.statusCode = status;
      this.showHead();
      this.end();
    }

    /** Adds the headers of each response now if middleware looks at them before the head is written. */
    showHead(): void {
      if (this.isHeadReplaced) this.addFixedHeaders();
    }

    /** Whether middleware sees the head before it is sent, and may change it. */
    get isHeadReplaced(): boolean {
      return Object.hasOwn(this, 'writeHead');
    }

    /** Express would add a body, which no operation declares. */
    redirect(...args: [url: string] | [status: number, url: string]): void {
      const [status, url] = args.length === 1 ? [302, args[0]] : args;
      // The class that this one extends at run time is Express'.
      const response = this as unknown as Response;
      if (this.req.operation) response.status(status).location(url).end();
      else express.redirect.call(response, status, url);
    }

    json(body: unknown): Response {
      // The class that this one extends at run time is Express'.
      if (!this.#offered) return express.json.call(this as unknown as Response, body);
      if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json');
      // Express would lose digits.
      return this.send(writeJson(body));
    }

    send(body?: unknown): Response {
      // The class that this one extends at run time is Express'.
      const response = this as unknown as Response;
      const isUnchanged = body === this.#offered?.text && this.statusCode === this.#offered?.status;
      // What middleware has changed is checked like all that it writes itself.
      if (!this.#offered || !isUnchanged) return express.send.call(response, body);
      this.#sendText(this.#offered.status, this.#offered.text);
      return response;
    }
  }

  // Only to compare them.
  const { json, send } = JsonResponses.prototype as unknown as { readonly [name: string]: unknown };
  return JsonResponses;
}
