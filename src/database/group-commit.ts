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
 * caller is answered after the commit that holds its item. An item alone waits for nobody.
 */
export class GroupCommit<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];

  /** `commit` stores all items, in order, or none. */
  constructor(private readonly commit: (items: readonly Item[]) => Result[]) {}

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new DatabaseUnavailable());
    return new Promise((resolve, reject) => {
      // After the requests that this turn of the event loop has read.
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ item, resolve, reject });
    });
  }

  #flush(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#commitGroup(group);
  }

  #commitGroup(group: readonly Waiting<Item, Result>[]): void {
    try {
      const results = this.commit(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      // The one at fault must not fail its neighbours; an absent database fails them all alike.
      if (group.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of group) reject(error);
      else for (const waiting of group) this.#commitGroup([waiting]);
    }
  }
}
