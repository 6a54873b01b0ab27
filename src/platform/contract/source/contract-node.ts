import { readFileSync } from 'node:fs';
import { StartError } from '../../process/start-error.js';
import { ContractSource, type Path } from './contract-source.js';
import { areSimilar } from './similar-names.js';

/** Members whose value is arbitrary data, where `$ref` is not a reference. */
const ARBITRARY_DATA = new Set(['example', 'value', 'default', 'enum', 'const']);

/** Their members have names that the contract chooses, such as `value`. */
const NAMED = new Set(
  'properties schemas headers responses parameters examples requestBodies securitySchemes links callbacks variables'.split(
    ' ',
  ),
);

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

  /** The places that the references at and below this place lead to. */
  references(): ContractNode[] {
    if (typeof this.value !== 'object' || this.value === null) return [];
    if (Object.hasOwn(this.value, '$ref')) return [this.#follow()];
    return Object.entries(this.value).flatMap(([key, value]) =>
      this.#isData(key, value) ? [] : new ContractNode(this.source, [...this.path, key], value).references(),
    );
  }

  #isData(key: string, value: unknown): boolean {
    return !NAMED.has(this.path.at(-1) ?? '') && isData(key, value);
  }

  get(key: string): ContractNode | undefined {
    const members = this.#object();
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    if (value === undefined) return undefined;
    const member = new ContractNode(this.source, [...this.path, key], value);
    return this.#isData(key, value) ? member : member.#follow();
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

  /** `advice` says what to write, where that is not plain. */
  need(key: string, advice?: string): ContractNode {
    const reason = `${this.path.join('.') || 'the document'} lacks "${key}"`;
    return this.get(key) ?? this.fail(advice === undefined ? reason : `${reason}; ${advice}`);
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
    return this.fail(`${this.key === '' ? 'the contract' : `"${this.key}"`} must be an object`);
  }

  #follow(seen: readonly string[] = []): ContractNode {
    const reference = (this.value as { $ref?: unknown } | null)?.$ref;
    if (reference === undefined) return this;
    if (typeof reference !== 'string') return this.fail('"$ref" must be text; no member can have this name');
    if (!reference.startsWith('#/'))
      return this.fail('"$ref" must begin with "#/"; move what it refers to into this file');
    if (seen.includes(reference))
      return this.fail(`"$ref" ${reference} refers to itself; write out one of the parts that refer to each other`);
    const path = reference.slice(2).split('/').map(nameOf);
    const value = path.reduce<unknown>(
      (at, step) => (Object.hasOwn(Object(at), step) ? (at as Record<string, unknown>)[step] : undefined),
      this.source.root,
    );
    if (value === undefined)
      return this.fail(`"$ref" ${reference} does not exist; ${adviceFor(path, this.source.root)}`);
    return new ContractNode(this.source, path, value, this.referrer).#follow([...seen, reference]);
  }
}

/** What to do about a reference to nothing: its name may be misspelt, in another section, or not written yet. */
function adviceFor(path: Path, root: unknown): string {
  const name = path.at(-1) ?? '';
  const section = path.slice(0, -1);
  const isComponent = section[0] === 'components';
  const add = `add ${name} to "${isComponent ? section.join('.') : 'components.schemas'}"`;
  const { components } = root as { components?: Record<string, object | null> };
  const all = Object.entries(components ?? {}).flatMap(([kind, members]) =>
    Object.keys(members ?? {}).map((member) => ({ kind, member })),
  );
  const own = all.filter(({ kind }) => section.join('.') === `components.${kind}`);
  const found = own.find(({ member }) => areSimilar(member, name)) ?? all.find(({ member }) => member === name);
  if (found) return `refer to #/components/${found.kind}/${found.member}, or ${add}`;
  return isComponent ? add : `${add}, and refer to it there`;
}

/** The name in a step of a JSON pointer, which a URI may encode: `application~1json` or `application%2Fjson`. */
function nameOf(step: string): string {
  let decoded = step;
  try {
    decoded = decodeURIComponent(step);
  } catch {
    // The "%" belongs to the name.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A schema of OpenAPI 3.1 lists its examples; elsewhere they are objects with names. */
function isData(key: string, value: unknown): boolean {
  if (key.startsWith('x-')) return key !== 'x-protocol-responses';
  return ARBITRARY_DATA.has(key) || (key === 'examples' && Array.isArray(value));
}
