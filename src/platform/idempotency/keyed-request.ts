import { KeyedChange } from './keyed-change.js';
import type { StoredResponse } from './stored-response.js';

/** A request with an Idempotency-Key. */
export class KeyedRequest {
  hash = '';
  fingerprint = '';
  /** The change that was begun, unless it failed before its result was known, or met nothing. */
  #change?: KeyedChange;
  /** Whether changes are stored with its response: from the check of its key to the response. */
  isOpen = false;
  /** Whether its response is decided, so that nothing can be stored with it any more. */
  isAnswered = false;
  /** Whether a change failed or met no row, perhaps because another replica has served the same request. */
  hasMissed = false;
  /** The error of the first statement that was refused. */
  refusal?: Error;

  /** Whether its change waits for the response. */
  get isHeld(): boolean {
    return this.#change?.isHeld === true;
  }

  /** Refuses all but the first change: a retry could not tell which of several were made. */
  change<Result>(make: (change: KeyedChange) => Promise<Result>): Promise<Result> {
    if (this.#change) {
      return this.refuse(
        'An operation with an Idempotency-Key makes all its changes in one transaction, or in one insert, update or delete',
      );
    }
    this.#change = new KeyedChange(this, (change) => {
      // The handler may try something else.
      if (!change.isHeld) this.#change = undefined;
      this.hasMissed = true;
    });
    return make(this.#change);
  }

  /**
   * Rejects a statement, and fails the request even if its handler catches the error. A statement that nothing awaits must
   * not end the process: a header of the caller would decide that.
   */
  refuse(message: string): Promise<never> {
    const error = new Error(message);
    this.refusal ??= error;
    const refused = Promise.reject(error);
    refused.catch(() => undefined);
    return refused;
  }

  /**
   * Resolves when the response is durable together with the change; at once when nothing was changed. Rejects when a
   * statement was refused: then nothing is left, and an exception filter may send another response.
   */
  async commit(response: StoredResponse): Promise<void> {
    if (this.refusal && !this.isAnswered) {
      await this.undo();
      throw this.refusal;
    }
    this.#answer();
    await this.#change?.commit(response);
  }

  /** Resolves when nothing that it changed is left. */
  async undo(): Promise<void> {
    this.#answer();
    await this.#change?.undo();
  }

  #answer(): void {
    this.isOpen = false;
    this.isAnswered = true;
  }
}
