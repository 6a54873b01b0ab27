import { type Alias, isAlias, isCollection, isPair, type Node } from 'yaml';

/** Throws, with the offset of what is wrong. */
export type Fail = (offset: number, reason: string) => never;

/** What aliases may repeat in all, in names and values: far more than a contract has, and read in seconds. */
const MOST_REPEATED = 1_000_000;

/** Resolves the aliases of a document that is visited from its beginning to its end. */
export class Aliases {
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  readonly #sizes = new Map<Node, number>();
  #repeated = 0;

  constructor(private readonly fail: Fail) {}

  /** An alias refers to the last node before it that has its anchor. */
  meet(node: Node & { readonly anchor?: string }): void {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  /** Refuses an alias that leads nowhere, or to a node that contains it, or that would make the document huge. */
  resolve(alias: Alias, parents: readonly unknown[]): void {
    const offset = alias.range?.[0] ?? 0;
    const target = this.#anchors.get(alias.source);
    if (!target) return this.fail(offset, `the alias "*${alias.source}" needs an anchor "&${alias.source}" before it`);
    if (parents.includes(target)) this.fail(offset, `the alias "*${alias.source}" contains itself`);
    this.#targets.set(alias, target);
    this.#repeated += this.#sizeOf(target);
    if (this.#repeated > MOST_REPEATED)
      this.fail(offset, 'the aliases up to here repeat more than 1,000,000 values; use "$ref"');
  }

  /** With all that the aliases inside of it repeat. */
  #sizeOf(node: unknown): number {
    if (isAlias(node)) return this.#sizeOf(this.#targets.get(node));
    if (isPair(node)) return this.#sizeOf(node.key) + this.#sizeOf(node.value);
    if (!isCollection(node)) return 1;
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    const size = node.items.reduce<number>((sum, item) => sum + this.#sizeOf(item), 1);
    this.#sizes.set(node, size);
    return size;
  }
}
