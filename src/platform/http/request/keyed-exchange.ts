import type { ServerResponse } from 'node:http';
import { DomainError } from '../../errors/domain-error.js';
import { changeHeaders, headerChanges } from '../../idempotency/header-changes.js';
import type { IdempotencyKeys, Identity } from '../../idempotency/idempotency-keys.js';
import { RequestInProgress } from '../../idempotency/idempotency.errors.js';
import { KeyedRequest } from '../../idempotency/keyed-request.js';
import { enterKeyed, leaveKeyed } from '../../idempotency/keyed-scope.js';
import type { StoredResponse } from '../../idempotency/stored-response.js';
import { RETRY_AFTER } from './fixed-headers.js';

interface Response extends ServerResponse {
  /** The headers that are set: name, value, name, value. */
  readonly headerList: readonly string[];
  sendJson(status: number, text: string): void;
  sendEmpty(status: number): void;
}

/** Ends the handling of a request that repeats another one. */
class Repeated extends Error {
  constructor(readonly response: StoredResponse) {
    super('The request was answered before');
  }
}

/** A request with an Idempotency-Key and its response, which is sent when it is stored together with what was changed. */
export class KeyedExchange {
  /** The namespace of the key, such as a hash of the caller's credentials; set by the guard of its security scheme. */
  scope?: string;
  readonly #request = new KeyedRequest();
  /** The headers that the response had before the handler. */
  #headers: readonly string[] = [];
  #hasBegun = false;
  #isAnswering = false;
  #isSettled = false;
  #isRefused = false;
  #isClosed = false;

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly response: Response,
  ) {}

  /** Whether the response would be sent before it is stored. */
  get mustWait(): boolean {
    return this.#request.isHeld && !this.#isSettled && !this.#isRefused;
  }

  /** An error is sent while the handler still runs: whatever it changes will be undone. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Serves the request: whatever `serve` changes is stored with the response. */
  async serve(serve: () => unknown): Promise<void> {
    await enterKeyed(this.#request, serve);
    if (this.#isAnswering) return;
    if (!this.response.writableEnded)
      throw new Error('The handler of an operation with an Idempotency-Key must return its response');
    this.#close();
  }

  /** Throws when a stored response or an error answers the request instead of its handler. */
  async begin(identity: Omit<Identity, 'scope'>): Promise<void> {
    const { scope } = this;
    if (scope === undefined)
      throw new Error('A guard must set "request.keyed.scope" for operations with an Idempotency-Key');
    this.#headers = this.response.headerList;
    const stored = await this.keys.begin(this.#request, { ...identity, scope });
    if (stored) throw new Repeated(stored);
    this.#hasBegun = true;
  }

  /**
   * Sends the response once it is stored, or the one to an earlier such request if there was nothing left to change. Rejects
   * when neither it nor any change is stored.
   */
  async answer(status: number, body: string | null): Promise<void> {
    this.#isAnswering = true;
    if (this.#isRefused) return this.#abandon();
    await this.#request.commit({ status, headers: headerChanges(this.#headers, this.response.headerList), body });
    const { hasMissed, isHeld } = this.#request;
    const stored = hasMissed && !isHeld ? await this.keys.find(this.#request) : undefined;
    this.#isSettled = true;
    if (stored) this.#replay(stored);
    else this.#send(status, body);
    this.#close();
  }

  /**
   * After a failure, undoes what was changed. Sends the response to an earlier such request if there is one; otherwise
   * resolves with the error to send, which is the first refusal of a statement: the handler's own error would hide it.
   */
  async fail(failure: unknown): Promise<{ readonly error: unknown } | undefined> {
    this.#isAnswering = true;
    const error = this.#request.refusal ?? failure;
    try {
      if (this.#isRefused) return await this.#abandon();
      await this.#request.undo();
      this.#isSettled = true;
      const stored = error instanceof Repeated ? error.response : await this.#earlierResponse(error);
      if (stored) this.#replay(stored);
      else if (error instanceof RequestInProgress) this.response.setHeader('Retry-After', RETRY_AFTER);
      return stored ? undefined : { error };
    } catch (fault) {
      return { error: fault };
    } finally {
      this.#close();
    }
  }

  async #abandon(): Promise<undefined> {
    await this.#request.undo();
    this.#close();
  }

  /** The failure may come from another replica that has served the same request meanwhile. */
  async #earlierResponse(error: unknown): Promise<StoredResponse | undefined> {
    const isUnavailable = error instanceof DomainError && error.kind === 'unavailable';
    return this.#hasBegun && !isUnavailable ? this.keys.find(this.#request) : undefined;
  }

  /** Sends a stored response, without what the handler did to the headers before it failed. */
  #replay({ status, headers, body }: StoredResponse): void {
    changeHeaders(this.response, headerChanges(this.response.headerList, this.#headers));
    changeHeaders(this.response, headers);
    this.#send(status, body);
  }

  #send(status: number, body: string | null): void {
    if (body === null) this.response.sendEmpty(status);
    else this.response.sendJson(status, body);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#hasBegun) this.keys.end(this.#request);
    leaveKeyed();
  }
}
