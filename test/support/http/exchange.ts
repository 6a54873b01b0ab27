import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpResponse } from './http-response.js';

/** The readable parts of a request, and its response. */
export interface Exchange {
  /** Undefined when the bytes do not begin with a request line. */
  readonly method: string | undefined;
  readonly target: string | undefined;
  /** By lower-case name; absent for raw bytes. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body: Buffer;
  readonly response: HttpResponse;
  /** Sent as raw bytes, perhaps malformed HTTP. */
  readonly raw: boolean;
}

export type CheckExchange = (exchange: Exchange) => void;

/** The path of a request target, without `http://host` and without the query. */
export function targetPath(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
}

export function targetQuery(target: string): URLSearchParams {
  return new URLSearchParams(/\?(.*)$/s.exec(target)?.[1] ?? '');
}
