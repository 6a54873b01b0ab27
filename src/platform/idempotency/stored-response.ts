import type { HeaderChanges } from './header-changes.js';

/** The response to the first request with a key, which its retries get as well. */
export interface StoredResponse {
  readonly status: number;
  /** What the handler changed of the headers that were set before. */
  readonly headers: HeaderChanges;
  /** Null for a response without a body. */
  readonly body: string | null;
}

/** A request that changed something, with its response. */
export interface StoredRequest {
  /** Of the scope and the key: neither is stored. */
  readonly hash: string;
  /** Of everything that a retry must repeat. */
  readonly fingerprint: string;
  readonly response: StoredResponse;
}

/** The requests of the last hours, in the database. Each method throws DatabaseUnavailable when it cannot work now. */
export interface StoredRequests {
  /** Finds what any replica has committed and is still kept. */
  find(hash: string): Promise<StoredRequest | undefined>;
  /** Removes at most `limit` expired requests, and resolves with their number. */
  prune(limit: number): Promise<number>;
}
