import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { StartError } from '../../process/start-error.js';

type Path = readonly string[];

/** The parsed text of the contract, with the line and column of each place in it. */
class ContractSource {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly root: unknown;

  constructor(
    readonly file: string,
    readonly bytes: Buffer,
  ) {
    // Keeps integers beyond 2^53, such as examples of an int64, exact in /openapi.json.
    this.#document = parseDocument(bytes.toString('utf8'), { lineCounter: this.#lines, intAsBigInt: true });
    const [error] = this.#document.errors;
    const [reason = ''] = error?.message.split('\n') ?? [];
    if (error) this.#failAt(error.pos[0], reason.replace(/ at line \d+, column \d+:?$/, ''));
    this.#refuseAmbiguity();
    this.root = asNumbers(this.#plainValue());
  }

  #plainValue(): unknown {
    try {
      return this.#document.toJS();
    } catch {
      return this.#failAt(0, 'aliases repeat too much of the document; use "$ref"');
    }
  }

  /** Aliases may lead nowhere, or to what contains them; `200` and `'200'` are different names in YAML only. */
  #refuseAmbiguity(): void {
    visit(this.#document, {
      Alias: (_, alias, parents) => {
        const target = alias.resolve(this.#document);
        const at = alias.range?.[0] ?? 0;
        if (!target) this.#failAt(at, `the alias "*${alias.source}" needs an anchor "&${alias.source}" before it`);
        if (parents.some((parent) => parent === target))
          this.#failAt(at, `the alias "*${alias.source}" contains itself`);
      },
      Map: (_, map) => {
        const names = new Set<string>();
        for (const key of map.items.map((item) => item.key).filter(isScalar)) {
          const name = String(key.value);
          if (names.has(name)) this.#failAt(key.range?.[0] ?? 0, `"${name}" is declared twice`);
          names.add(name);
        }
      },
    });
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
    throw new StartError(`${this.#position(offset)} ${reason}.`);
  }
}

/** Members whose value is arbitrary data, where `$ref` is not a reference. */
const ARBITRARY_DATA = new Set(['example', 'value', 'default', 'enum']);

/** A place in the contract. Follows `$ref`; throws a StartError with file, line and reason where it is invalid. */
export class ContractNode {
  private constructor(
    private readonly source: ContractSource,
    readonly path: Path,
    readonly value: unknown,
    /** The path before references were followed; `path` is where they lead. */
    private readonly referrer = path,
  ) {}

  /** The name before references were followed. */
  get key(): string {
    return this.referrer.at(-1) ?? '';
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
    return this.source.failAtName(this.referrer, reason);
  }

  /** Checks every reference at and below this place. */
  assertReferences(): void {
    if (typeof this.value !== 'object' || this.value === null) return;
    if (Object.hasOwn(this.value, '$ref')) {
      this.#follow();
      return;
    }
    for (const [key, value] of Object.entries(this.value)) {
      if (!ARBITRARY_DATA.has(key)) new ContractNode(this.source, [...this.path, key], value).assertReferences();
    }
  }

  get(key: string): ContractNode | undefined {
    const members = this.#object();
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    return value === undefined ? undefined : new ContractNode(this.source, [...this.path, key], value).#follow();
  }

  /** The members or items as they are written: references are not followed. */
  written(): ContractNode[] {
    return Object.entries(this.#object()).map(
      ([key, value]) => new ContractNode(this.source, [...this.path, key], value),
    );
  }

  /** The place that a reference leads to, or this place. */
  target(): ContractNode {
    return this.#follow();
  }

  /** `openapi.yaml:12:3`, for a failure that is found later. */
  get position(): string {
    return this.source.positionOf(this.referrer);
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
    return new ContractNode(this.source, path, value, this.referrer).#follow([...seen, reference]);
  }
}

/** Turns integers that a double represents exactly back into numbers. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asNumbers(item)]));
}
