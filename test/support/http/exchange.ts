import type { Answer } from './answer.js';

/** A request as far as it can be read, and its answer. */
export interface Exchange {
  /** Undefined when the bytes sent do not begin like a request. */
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly body: Buffer;
  readonly answer: Answer;
  /** Sent byte by byte, so perhaps not well-formed HTTP. */
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
