import { channel } from 'node:diagnostics_channel';
import { atEndOfTurn, awaitMoreChanges, currentTurn } from '../../process/end-of-turn.js';
import { DatabaseUnavailable } from './database-unavailable.js';

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** One commit of a group. */
export interface Commit {
  readonly size: number;
  readonly milliseconds: number;
}

/** For metrics: a message for each commit while there is a subscriber. */
export const COMMITS = channel('group-commit');

let queued = 0;

/** Items of all groups that wait for a commit. */
export function queuedItems(): number {
  return queued;
}

/** Pending items above which new ones fail at once, because commits cannot keep up. */
const MAX_PENDING = 10_000;

/** Milliseconds of commits of single items after which everything else has its turn. */
const MAX_WORK = 10;

/**
 * Commits concurrent items in one transaction, because a durable commit costs milliseconds however much it contains. Each
 * caller is answered after the commit of its item. An item waits for the current commit, and for others to join it only
 * while the group is smaller than the last one and keeps growing.
 */
export class GroupCommit<Item, Result> {
  #pending: Pending<Item, Result>[] = [];
  #isCommitting = false;
  #lastSize = 0;

  /**
   * `commit` stores all items, in order, or none; it returns one result for each. `hasStoredNothing` is true for an error
   * that guarantees that nothing was stored, so that each item may be tried by itself.
   */
  constructor(
    private readonly commit: (items: readonly Item[]) => Result[] | Promise<Result[]>,
    private readonly hasStoredNothing: (error: unknown) => boolean,
  ) {}

  add(item: Item): Promise<Result> {
    if (this.#pending.length >= MAX_PENDING) return Promise.reject(new DatabaseUnavailable());
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0 && !this.#isCommitting) this.#flushAtEnd();
      const size = this.#pending.push({ item, resolve, reject });
      if (size < this.#lastSize && !this.#isCommitting) awaitMoreChanges();
      queued += 1;
    });
  }

  #flushAtEnd(): void {
    atEndOfTurn('commit', () => void this.#flush());
  }

  async #flush(): Promise<void> {
    this.#isCommitting = true;
    const turn = currentTurn();
    do {
      const group = this.#pending;
      this.#pending = [];
      this.#lastSize = group.length;
      queued -= group.length;
      await this.#commitGroup(group);
      // SQLite commits synchronously: callers that add one item after the other must leave time for everything else.
    } while (this.#pending.length > 0 && currentTurn() !== turn);
    this.#isCommitting = false;
    if (this.#pending.length > 0) this.#flushAtEnd();
  }

  async #commitGroup(group: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      await this.#commitTogether(group);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#rejectAll(group, error);
      else if (group.length > 1 && this.hasStoredNothing(error)) await this.#commitEach(group);
      else for (const { reject } of group) reject(error);
    }
  }

  async #commitTogether(group: readonly Pending<Item, Result>[]): Promise<void> {
    const begin = performance.now();
    const committed = this.commit(group.map(({ item }) => item));
    // No await without need: SQLite commits synchronously.
    const results = committed instanceof Promise ? await committed : committed;
    if (COMMITS.hasSubscribers) {
      COMMITS.publish({ size: group.length, milliseconds: performance.now() - begin } satisfies Commit);
    }
    // `commit` returns a result for each item.
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
  }

  /** After a failed group: an item at fault must not fail the others. */
  async #commitEach(group: readonly Pending<Item, Result>[]): Promise<void> {
    let begin = performance.now();
    for (const [index, pending] of group.entries()) {
      // SQLite commits synchronously, and an item that arrives meanwhile waits: the order stays that of their arrival.
      if (performance.now() - begin > MAX_WORK) {
        await new Promise<void>((resolve) => atEndOfTurn('commit', resolve));
        begin = performance.now();
      }
      try {
        await this.#commitTogether([pending]);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) return this.#rejectAll(group.slice(index), error);
        pending.reject(error);
      }
    }
  }

  /** Also rejects the items that arrived meanwhile: an unavailable database would fail them as well. */
  #rejectAll(group: readonly Pending<Item, Result>[], error: DatabaseUnavailable): void {
    const others = this.#pending;
    this.#pending = [];
    queued -= others.length;
    for (const { reject } of [...group, ...others]) reject(error);
  }
}
