import { DatabaseUnavailable } from './database-unavailable.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Items that may wait for a commit; a database that does not keep up is better told than hidden. */
const MAX_WAITING = 10_000;

/**
 * Commits what arrives together in one transaction, because a durable commit costs milliseconds whatever it holds. Each
 * caller is answered after the commit that holds its item. An item alone waits for nobody, except for the commit that is
 * under way.
 */
export class GroupCommit<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #isCommitting = false;

  /** `commit` stores all items, in order, or none. */
  constructor(private readonly commit: (items: readonly Item[]) => Result[] | Promise<Result[]>) {}

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new DatabaseUnavailable());
    return new Promise((resolve, reject) => {
      // After the requests that this turn of the event loop has read.
      if (this.#waiting.length === 0 && !this.#isCommitting) setImmediate(() => void this.#flush());
      this.#waiting.push({ item, resolve, reject });
    });
  }

  async #flush(): Promise<void> {
    this.#isCommitting = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#commitGroup(group);
    }
    this.#isCommitting = false;
  }

  async #commitGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const committed = this.commit(group.map(({ item }) => item));
      const results = committed instanceof Promise ? await committed : committed;
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#rejectAll(group, error);
      else if (group.length === 1) group[0]!.reject(error);
      // The one at fault must not fail its neighbours.
      else await this.#commitEach(group);
    }
  }

  async #commitEach(group: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const [index, { item, resolve, reject }] of group.entries()) {
      try {
        resolve((await this.commit([item]))[0]!);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) return this.#rejectAll(group.slice(index), error);
        reject(error);
      }
    }
  }

  /** An absent database fails all alike; those who came meanwhile need not wait to hear the same. */
  #rejectAll(group: readonly Waiting<Item, Result>[], error: DatabaseUnavailable): void {
    const others = this.#waiting;
    this.#waiting = [];
    for (const { reject } of [...group, ...others]) reject(error);
  }
}
