import { hash } from 'node:crypto';
import { IdempotencyKeyReused, RequestInProgress } from './idempotency.errors.js';
import type { KeyedRequest } from './keyed-request.js';
import type { StoredRequests, StoredResponse } from './stored-response.js';

/** What identifies a request. */
export interface Identity {
  /** The namespace of the key, such as a hash of the caller's credentials: never a secret in clear text. */
  readonly scope: string;
  /** As it was sent. */
  readonly key: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** Recognises requests that repeat others. */
export class IdempotencyKeys {
  /** By hash; those of this process. */
  readonly #running = new Map<string, KeyedRequest>();

  constructor(private readonly requests: StoredRequests) {}

  /**
   * Resolves with the response to an earlier such request; undefined for the first one, which then must be ended. Throws
   * RequestInProgress and IdempotencyKeyReused.
   */
  async begin(request: KeyedRequest, identity: Identity): Promise<StoredResponse | undefined> {
    request.hash = hash('sha256', `${identity.scope}\n${contentOf(identity.key)}`, 'base64');
    request.fingerprint = fingerprintOf(identity);
    const running = this.#running.get(request.hash);
    if (running)
      throw running.fingerprint === request.fingerprint ? new RequestInProgress() : new IdempotencyKeyReused();
    this.#running.set(request.hash, request);
    try {
      const response = await this.find(request);
      if (response) this.end(request);
      else request.isOpen = true;
      return response;
    } catch (error) {
      this.end(request);
      throw error;
    }
  }

  /** The response that any replica has stored. Throws IdempotencyKeyReused. */
  async find({ hash: key, fingerprint }: KeyedRequest): Promise<StoredResponse | undefined> {
    const stored = await this.requests.find(key);
    if (stored && stored.fingerprint !== fingerprint) throw new IdempotencyKeyReused();
    return stored?.response;
  }

  end(request: KeyedRequest): void {
    request.isOpen = false;
    if (this.#running.get(request.hash) === request) this.#running.delete(request.hash);
  }
}

/** The same for a quoted string and for its content alone. The contract has checked the syntax. */
function contentOf(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : key;
}

/** A NUL is part of no method and of no target. */
function fingerprintOf({ method, target, body }: Identity): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${method}\0${target}\0`), body]), 'base64');
}
