import { isUtf8 } from 'node:buffer';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { StartError } from '../../process/start-error.js';
import { refuseAmbiguity } from './refuse-ambiguity.js';

/** The names and indexes that lead to a place, from the root. */
export type Path = readonly string[];

/** What to do about a fault that the package does not explain, by its code. */
const REASONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this name is used twice in one object; rename or remove one of them',
  MULTIPLE_DOCS: 'the contract ends here; remove the documents that follow',
};

/** The parsed text of the contract, with the line and column of each place in it. */
export class ContractSource {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly root: unknown;

  constructor(
    readonly file: string,
    bytes: Buffer,
  ) {
    if (!isUtf8(bytes)) throw new StartError(`The contract ${file} is not UTF-8; save it in that encoding.`);
    // Keeps integers beyond 2^53, such as examples of an int64, exact in /openapi.json.
    this.#document = parseDocument(bytes.toString('utf8'), { lineCounter: this.#lines, intAsBigInt: true });
    // Warnings are errors: they report tags that would be ignored.
    const [error] = [...this.#document.errors, ...this.#document.warnings];
    const [message = ''] = error?.message.split('\n') ?? [];
    const reason = REASONS[error?.code ?? ''] ?? message;
    if (error) this.#failAt(error.pos[0], reason.replace(/ at line \d+, column \d+:?$/, ''));
    refuseAmbiguity(this.#document, (offset, why) => this.#failAt(offset, why));
    // The package would refuse the hundredth alias.
    this.root = asNumbers(this.#document.toJS({ maxAliasCount: -1 }));
  }

  fail(path: Path, reason: string): never {
    return this.#failAt(this.#offsetOf(path), reason);
  }

  /** Like `fail`, but names the position of a member's name instead of its value. */
  failAtName(path: Path, reason: string): never {
    return this.#failAt(this.#offsetOfName(path), reason);
  }

  /** The position of a member's name. */
  positionOf(path: Path): string {
    return this.#position(this.#offsetOfName(path));
  }

  #offsetOf(path: Path): number {
    for (let end = path.length; end >= 0; end -= 1) {
      const node: unknown = this.#document.getIn(path.slice(0, end), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }

  #offsetOfName(path: Path): number {
    const parent: unknown = this.#document.getIn(path.slice(0, -1), true);
    const names = isMap(parent) ? parent.items.map(({ key }) => key).filter(isScalar) : [];
    const name = names.find(({ value }) => String(value) === path.at(-1));
    return name?.range ? name.range[0] : this.#offsetOf(path);
  }

  #position(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }

  #failAt(offset: number, reason: string): never {
    // A name may have line breaks, but each fault has one line.
    throw new StartError(`${this.#position(offset)} ${reason.replaceAll('\n', String.raw`\n`)}.`);
  }
}

/** Turns integers that a double represents exactly back into numbers. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asNumbers(item)]));
}
