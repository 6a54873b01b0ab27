import type { Serialiser } from './serialiser.js';

/** By status. */
export type Responses = ReadonlyMap<number, DeclaredResponse>;

export interface DeclaredResponse {
  readonly hasBody: boolean;
  /** The names of headers that only other responses of the operation have. */
  readonly headersOfOthers: readonly string[];
  /** Absent where the body is not JSON. */
  readonly serialise?: Serialiser;
}
