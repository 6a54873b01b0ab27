import type { Serialiser } from './serialiser.js';

/** By status. */
export type Responses = ReadonlyMap<number, DeclaredResponse>;

/** As Node stores it. */
export type HeaderValue = number | string | readonly string[] | undefined;

export interface HeaderRule {
  /** In lower case. */
  readonly name: string;
  /** Where it is declared: `openapi.yaml:12:1`. */
  readonly position: string;
  /** A sentence about an invalid value; undefined for a valid one. */
  readonly violationOf: (value: HeaderValue) => string | undefined;
}

export interface DeclaredResponse {
  /** Where it is declared: `openapi.yaml:12:1`. */
  readonly position: string;
  /** Of the body, in the order of the contract; none for a response without one. */
  readonly mediaTypes: readonly string[];
  /**
   * Whether a handler must know which media type is sent. With two media types, one of them JSON whose schema accepts a
   * text, it need not: a returned text is valid as both.
   */
  readonly hasForms: boolean;
  /** The headers that have a rule. */
  readonly headers: readonly HeaderRule[];
  /** The names of its headers, in lower case. */
  readonly headerNames: ReadonlySet<string>;
  /** The names of headers that only other responses of the operation have. */
  readonly headersOfOthers: readonly string[];
  /** The types of its JSON, in any part or alternative of the schema; none where the body is never JSON. */
  readonly jsonTypes: readonly string[];
  /** Absent where the body is never JSON. */
  readonly serialise?: Serialiser;
}
