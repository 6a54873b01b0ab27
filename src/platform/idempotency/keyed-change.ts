import type { StoredRequest, StoredResponse } from './stored-response.js';

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Connects the database and the handler of a keyed request: the database makes the change, gives the handler its
 * result, and commits the change together with the response that the handler then returns.
 */
export class KeyedChange {
  readonly #response = deferred<StoredResponse | undefined>();
  readonly #end = deferred<void>();
  /** Whether the handler knows the result. */
  isHeld = false;

  constructor(
    private readonly request: { readonly hash: string; readonly fingerprint: string },
    private readonly onRelease: (change: KeyedChange) => void,
  ) {}

  /** For the database: gives the handler the result, and resolves with what to store; undefined to undo the change. */
  async hold(give: () => void): Promise<StoredRequest | undefined> {
    this.isHeld = true;
    give();
    const response = await this.#response.promise;
    const { hash, fingerprint } = this.request;
    return response && { hash, fingerprint, response };
  }

  /** For the database: the change is durable, or was undone as the handler demanded. */
  end(): void {
    this.#end.resolve();
  }

  /** For the database: nothing was stored. */
  fail(error: unknown): void {
    this.onRelease(this);
    this.#end.reject(error);
  }

  /** For the database: there was nothing to change, so that the handler may change something else. */
  release(): void {
    this.onRelease(this);
    this.#end.resolve();
  }

  /** For the handler: resolves when change and response are durable. Rejects when neither is. */
  commit(response: StoredResponse): Promise<void> {
    this.#response.resolve(response);
    return this.#end.promise;
  }

  /** For the handler: resolves when the change is undone. */
  async undo(): Promise<void> {
    this.#response.resolve(undefined);
    await this.#end.promise.catch(() => undefined);
  }
}

function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'>;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // It may be rejected while nothing awaits it, which must not end the process.
  promise.catch(() => undefined);
  // The executor runs synchronously.
  return { promise, ...settle! };
}
