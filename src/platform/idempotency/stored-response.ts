/** What the first request with a key was answered, and what its retries get. */
export interface StoredResponse {
  readonly status: number;
  /** Those that the handler set: name, value, name, value. */
  readonly headers: readonly string[];
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
  /** What every replica has committed, if it is still kept. */
  find(hash: string): Promise<StoredRequest | undefined>;
  /** Removes at most `limit` that need not be kept any longer, and resolves with their number. */
  prune(limit: number): Promise<number>;
}
