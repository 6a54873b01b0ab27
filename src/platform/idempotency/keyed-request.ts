import { KeyedChange } from './keyed-change.js';
import type { StoredResponse } from './stored-response.js';

/** A request with an Idempotency-Key. */
export class KeyedRequest {
  hash = '';
  fingerprint = '';
  /** The change that was begun, unless it failed before its result was known. */
  #change?: KeyedChange;
  /** Whether changes are stored with its response: from the check of its key to the response. */
  isOpen = false;

  /** Whether its change waits for the response. */
  get isHeld(): boolean {
    return this.#change?.isHeld === true;
  }

  /** Throws after the first change: a retry could not tell which of several were made. */
  change(): KeyedChange {
    if (this.#change)
      throw new Error(
        'An operation with an Idempotency-Key makes all its changes in one transaction, or in one insert',
      );
    this.#change = new KeyedChange(this, (change) => {
      // The handler may try something else.
      if (!change.isHeld) this.#change = undefined;
    });
    return this.#change;
  }

  /** Resolves when the response is durable together with the change; at once when nothing was changed. */
  async commit(response: StoredResponse): Promise<void> {
    this.isOpen = false;
    await this.#change?.commit(response);
  }

  /** Resolves when nothing that it changed is left. */
  async undo(): Promise<void> {
    this.isOpen = false;
    await this.#change?.undo();
  }
}
