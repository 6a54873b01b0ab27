import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * An AsyncLocalStorage that is enabled only while it has users, because on Node 20 an enabled one makes every promise of
 * the process cost more. Enabling it costs as much as many promises, so it stays enabled until the turn ends.
 */
export class TransientStorage<Store> {
  readonly #storage = new AsyncLocalStorage<Store>();
  #users = 0;
  #willDisable = false;

  /** The store of the caller. Costs nothing while the storage has no users. */
  get current(): Store | undefined {
    return this.#users > 0 ? this.#storage.getStore() : undefined;
  }

  /** Runs `work` with a store, which everything that it starts inherits. `leave` must follow. */
  enter<Result>(store: Store, work: () => Result): Result {
    this.#users += 1;
    return this.#storage.run(store, work);
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#willDisable) return;
    this.#willDisable = true;
    setImmediate(() => {
      this.#willDisable = false;
      if (this.#users === 0) this.#storage.disable();
    });
  }
}
