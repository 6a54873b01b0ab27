import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { StartError } from '../process/start-error.js';

type Path = readonly string[];

/** The text of the contract and what a reader needs to point at a place in it. */
class ContractSource {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly root: unknown;

  constructor(
    readonly file: string,
    readonly bytes: Buffer,
  ) {
    // Integers beyond 2^53 (an example of an int64) must not be rounded on their way to /openapi.json.
    this.#document = parseDocument(bytes.toString('utf8'), { lineCounter: this.#lines, intAsBigInt: true });
    const [error] = this.#document.errors;
    if (error) this.#failAt(error.pos[0], error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, ''));
    this.root = asNumbers(this.#document.toJS());
  }

  fail(path: Path, reason: string): never {
    for (let end = path.length; end >= 0; end -= 1) {
      const node: unknown = this.#document.getIn(path.slice(0, end), true);
      if (isNode(node) && node.range) this.#failAt(node.range[0], reason);
    }
    return this.#failAt(0, reason);
  }

  /** Like `fail`, pointing at the name of a member instead of its value. */
  failAtName(path: Path, reason: string): never {
    const parent: unknown = this.#document.getIn(path.slice(0, -1), true);
    const names = isMap(parent) ? parent.items.map(({ key }) => key).filter(isScalar) : [];
    const name = names.find(({ value }) => String(value) === path.at(-1));
    return name?.range ? this.#failAt(name.range[0], reason) : this.fail(path, reason);
  }

  #failAt(offset: number, reason: string): never {
    const { line, col } = this.#lines.linePos(offset);
    throw new StartError(`${this.file}:${line}:${col} ${reason}.`);
  }
}

/** Members that hold data of their own kind: what looks like a reference in there is none. */
const DATA = new Set(['example', 'value', 'default', 'enum']);

/** A place in the contract. Follows `$ref`; a demand that is not met stops with file, line and reason. */
export class ContractNode {
  private constructor(
    private readonly source: ContractSource,
    readonly path: Path,
    readonly value: unknown,
    /** Where it was reached; `path` is where the references led from there. */
    private readonly place = path,
  ) {}

  /** The name it was reached by. */
  get key(): string {
    return this.place.at(-1) ?? '';
  }

  static read(file: string): { bytes: Buffer; root: ContractNode } {
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch (error) {
      throw new StartError(
        `The contract ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); provide a readable file.`,
      );
    }
    const source = new ContractSource(file, bytes);
    return { bytes, root: new ContractNode(source, [], source.root) };
  }

  fail(reason: string): never {
    return this.source.fail(this.path, reason);
  }

  failAtName(reason: string): never {
    return this.source.failAtName(this.place, reason);
  }

  /** Follows every reference in and below this place. */
  assertReferences(): void {
    if (typeof this.value !== 'object' || this.value === null) return;
    if (Object.hasOwn(this.value, '$ref')) {
      this.#follow();
      return;
    }
    for (const [key, value] of Object.entries(this.value)) {
      if (!DATA.has(key)) new ContractNode(this.source, [...this.path, key], value).assertReferences();
    }
  }

  get(key: string): ContractNode | undefined {
    const members = this.#object();
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    return value === undefined ? undefined : new ContractNode(this.source, [...this.path, key], value).#follow();
  }

  need(key: string): ContractNode {
    return this.get(key) ?? this.fail(`${this.path.join('.') || 'the document'} lacks "${key}"`);
  }

  children(): ContractNode[] {
    const keys = Array.isArray(this.value) ? this.value.map((_, index) => String(index)) : Object.keys(this.#object());
    return keys.map((key) => this.need(key));
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail(`"${this.key}" must be text`);
  }

  #object(): Record<string, unknown> {
    if (typeof this.value === 'object' && this.value !== null) return this.value as Record<string, unknown>;
    return this.fail(`"${this.key}" must be an object`);
  }

  #follow(seen: readonly string[] = []): ContractNode {
    const reference = (this.value as { $ref?: unknown } | null)?.$ref;
    if (reference === undefined) return this;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return this.fail('"$ref" must begin with "#/"');
    if (seen.includes(reference)) return this.fail(`"$ref" ${reference} refers to itself`);
    const path = reference
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const value = path.reduce<unknown>(
      (at, step) => (Object.hasOwn(Object(at), step) ? (at as Record<string, unknown>)[step] : undefined),
      this.source.root,
    );
    if (value === undefined) return this.fail(`"$ref" ${reference} does not exist`);
    return new ContractNode(this.source, path, value, this.place).#follow([...seen, reference]);
  }
}

/** Integers that a double holds exactly become numbers again. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asNumbers(item)]));
}
