import { type OutgoingHttpHeaders, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { EdgeRequest } from '../request/edge-request.js';
import { FixedHeaders, hasItems, isSameName, LISTS } from '../request/fixed-headers.js';
import { REQUEST_ID } from '../outcomes/request-id.js';
import { hasName, type HeaderList, messageOf, storeHeaders, valueOf } from './given-headers.js';

type Value = number | string | readonly string[];

/**
 * A class of responses that keep their headers in one flat list, which Node writes as it is. Node's own store is a hash
 * table for each response, and costs a creation a tenth of its processor time (ADR 10). A call that a list cannot
 * handle in the same way moves the headers to that store. The methods of `prototype` apply between this class and
 * Node's.
 */
export function listedHeaders(prototype: object) {
  class ListedHeaders extends ServerResponse<EdgeRequest> {
    /** Undefined when the headers are in Node's store. Each name is present once, until the list is sent. */
    #list?: HeaderList = NONE;

    /** Fixed headers that are in the head besides the list, once it is made. No name is in both. */
    #added = NO_HEADERS;
    #addedId?: string = undefined;

    /** Headers that are added to each response that lacks them. */
    protected get fixedHeaders(): FixedHeaders {
      return NO_HEADERS;
    }

    /** Sent with each response that lacks one. */
    protected get requestId(): string | undefined {
      return undefined;
    }

    override getHeader(name: string): ReturnType<ServerResponse['getHeader']> {
      if (!this.#list) return super.getHeader(name);
      return valueOf(this.#list, name) ?? this.#addedValue(name);
    }

    override hasHeader(name: string): boolean {
      if (!this.#list) return super.hasHeader(name);
      return hasName(this.#list, name) || this.#addedValue(name) !== undefined;
    }

    override getHeaderNames(): string[] {
      const list = this.#wholeList();
      if (!list) return super.getHeaderNames();
      return [...new Set(list.filter((_, index) => index % 2 === 0).map((name) => String(name).toLowerCase()))];
    }

    override getHeaders(): OutgoingHttpHeaders {
      if (!this.#list) return super.getHeaders();
      const headers = Object.create(null) as OutgoingHttpHeaders;
      for (const name of this.getHeaderNames()) headers[name] = this.getHeader(name);
      return headers;
    }

    /** The headers that are set: name, value, name, value. */
    get headerList(): readonly string[] {
      const list = this.#wholeList();
      if (list) return list.map(String);
      return rawHeaderNames.call(this).flatMap((name) => {
        // Each of these names has a value.
        const values = [super.getHeader(name)!].flat();
        return values.flatMap((value) => [name, String(value)]);
      });
    }

    override setHeader(name: string, value: Value): this {
      // Node throws after they were sent.
      if (!this.#list || this.headersSent) return super.setHeader(name, value);
      if ((typeof value !== 'string' && typeof value !== 'number') || this.hasHeader(name)) {
        this.#store();
        return super.setHeader(name, value);
      }
      validateHeaderName(name);
      validateHeaderValue(name, value as string);
      this.#list = [...this.#list, name, value];
      return this;
    }

    override appendHeader(name: string, value: string | readonly string[]): this {
      this.#store();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      if (this.#list && !this.headersSent && !this.hasHeader(name)) return;
      this.#store();
      super.removeHeader(name);
    }

    /** Takes headers in all forms that Node takes. They replace those that were set before. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const [given = []] = rest;
      if (this.#list && !this.headersSent && Array.isArray(given) && rest.length < 2) {
        const headers = merge(given as HeaderList, this.#list);
        const { fixedHeaders, requestId } = this;
        if (sharesName(headers, fixedHeaders)) addMissing(headers, fixedHeaders);
        else this.#added = fixedHeaders;
        if (!hasName(headers, REQUEST_ID)) this.#addedId = requestId;
        super.writeHead(status, headers);
        this.#list = headers;
        return this;
      }
      this.#store();
      const message = messageOf(rest);
      storeHeaders(this, message === undefined ? (rest[1] ?? given) : rest[1]);
      this.addFixedHeaders();
      return message === undefined ? super.writeHead(status) : super.writeHead(status, message);
    }

    /** Adds the headers that each response has, where they are missing. */
    protected addFixedHeaders(): void {
      if (this.headersSent) return;
      this.#store();
      for (const [name, value] of this.fixedHeaders.pairs) {
        const given = super.getHeader(name);
        if (given === undefined) super.setHeader(name, value);
        else if (LISTS.has(name) && !hasItems(given, value)) super.appendHeader(name, value);
      }
      const { requestId } = this;
      if (requestId !== undefined && !super.hasHeader(REQUEST_ID)) super.setHeader(REQUEST_ID, requestId);
    }

    /** Node calls it to make the head. It checks `headers`, but not the first line: add fixed headers there. */
    protected _storeHeader(firstLine: string, headers: unknown): void {
      const id = this.#addedId === undefined ? '' : `${REQUEST_ID}: ${this.#addedId}\r\n`;
      storeHeader.call(this, firstLine + this.#added.lines + id, headers);
    }

    #addedValue(name: string): string | undefined {
      return isSameName(name, REQUEST_ID) ? this.#addedId : this.#added.get(name);
    }

    #wholeList(): HeaderList | undefined {
      const id = this.#addedId === undefined ? [] : [REQUEST_ID, this.#addedId];
      return this.#list && [...this.#list, ...this.#added.pairs.flat(), ...id];
    }

    /** What was sent stays in the list, where it can still be read. */
    #store(): void {
      const list = this.#list;
      if (!list || this.headersSent) return;
      this.#list = undefined;
      storeHeaders(this, list);
    }
  }

  Object.setPrototypeOf(ListedHeaders.prototype, prototype);
  return ListedHeaders;
}

const NONE: HeaderList = [];
const NO_HEADERS = new FixedHeaders([]);

/** Node declares neither for responses; INTERNALS.md lists both. */
const { _storeHeader: storeHeader, getRawHeaderNames: rawHeaderNames } = ServerResponse.prototype as unknown as {
  _storeHeader: (this: ServerResponse, firstLine: string, headers: unknown) => void;
  getRawHeaderNames: (this: ServerResponse) => string[];
};

/** Headers given to `writeHead` replace those that were set before. */
function merge(given: HeaderList, set: HeaderList): HeaderList {
  const isGiven = (index: number) => hasName(given, String(set[index - (index % 2)]));
  // Unlike a list that grows, the result of `concat` reserves no room for more.
  return given.concat(set.some((_, index) => isGiven(index)) ? set.filter((_, index) => !isGiven(index)) : set);
}

/** Whether a list has one of the fixed headers. */
function sharesName(headers: HeaderList, { pairs }: FixedHeaders): boolean {
  for (const pair of pairs) if (hasName(headers, pair[0])) return true;
  return false;
}

function addMissing(headers: HeaderList, { pairs }: FixedHeaders): void {
  for (const [name, value] of pairs) {
    if (LISTS.has(name) || !hasName(headers, name)) headers.push(name, value);
  }
}
