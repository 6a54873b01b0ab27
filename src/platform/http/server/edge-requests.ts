import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import type { Authenticator } from '../request/edge-request.js';
import type { KeyedExchange } from '../request/keyed-exchange.js';
import type { OperationRoute } from '../request/operation-route.js';
import { pathOf } from '../request/path-of.js';
import type { RequestMemory } from '../request/request-memory.js';
import { hasSameQuery, type Query, readQuery } from '../request/read-query.js';
import { quietRequests } from '../internals/quiet-requests.js';
import { refuseEarlyBodies } from './early-body.js';
import type { EdgeHooks } from './edge-hooks.js';

/** The class of the server's requests. Its prototype inherits from that of Express' requests. */
export function edgeRequests(
  express: Express['request'],
  { requestIds, onBodyEnd }: Pick<EdgeHooks, 'requestIds' | 'onBodyEnd'>,
): typeof IncomingMessage {
  class EdgeIncomingMessage extends quietRequests(express as object, onBodyEnd) {
    operation?: OperationRoute = undefined;
    memory?: RequestMemory = undefined;
    keyed?: KeyedExchange = undefined;
    authenticator?: Authenticator = undefined;
    keyName?: string = undefined;
    isHandling?: boolean = undefined;
    isChecked = false;
    arrivedAt?: number = undefined;
    bodyWait?: number = undefined;
    isReported = false;
    isBodyDue = true;
    isBodyMissed = false;
    readonly baseUrl = '';
    #query?: Query = undefined;
    /** The URL that it was read from. */
    #queryUrl?: string = undefined;
    #requestId?: string = undefined;

    get path(): string {
      return pathOf(this.url ?? '');
    }

    /**
     * Whether Express would answer with 304, such as for `If-None-Match: *`: only operations that declare it do. Express would
     * not, where a request has `Cache-Control: no-cache`, which `fetch` adds when a program sets `If-None-Match`. It asks a
     * cache to validate what it has (RFC 9111, section 5.2.1.4), which the origin does here.
     */
    get fresh(): boolean {
      if (this.operation?.responses.has(304) !== true) return false;
      const headers = { value: { ...this.headers, 'cache-control': undefined } };
      return Reflect.get(express, 'fresh', Object.create(this, { headers }));
    }

    get query(): Query {
      const { url = '' } = this;
      if (this.#query !== undefined && (url === this.#queryUrl || this.#keepsQuery(url))) return this.#query;
      this.#queryUrl = url;
      return (this.#query = readQuery(url));
    }

    /** Middleware may rewrite the query; the handler keeps what was checked. */
    #keepsQuery(url: string): boolean {
      return this.isHandling !== undefined || hasSameQuery(url, this.#queryUrl);
    }

    get requestId(): string {
      return (this.#requestId ??= requestIds.of(this.headers));
    }
  }

  refuseEarlyBodies(EdgeIncomingMessage.prototype);
  return EdgeIncomingMessage;
}
