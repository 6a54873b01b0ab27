import { InexactNumber } from '../../values/json-reader.js';
import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, type Direction, inside, sentence } from './check.js';
import { read } from './object-members.js';
import { type FindLoser, loserAmong } from './lost-members.js';
import { isFlagged, isNullable, isOnlyNull, typeOf, withAlternatives, withParts } from './schema-type.js';

/** A check of one of several schemas: `oneOf` or `anyOf`. */
export function unionCheck(
  schema: ContractNode,
  keyword: 'oneOf' | 'anyOf',
  direction: Direction,
  compile: Compile,
): Check {
  const discriminator = schema.get('discriminator');
  if (discriminator) return taggedCheck(discriminator, taggedAlternatives(schema, keyword), compile);
  const parts = schema.need(keyword).children();
  const checks = parts.map((part) => compile(part));
  const closed = once(() =>
    direction === 'response' ? parts.map((part) => compile(part, 'closed response')) : checks,
  );
  const alternatives = checks.map((check, index) => {
    const part = parts[index]!; // the same order
    return { ...check, types: typesIn(part), isOnlyNull: isOnlyNull(part) };
  });
  const findLoser = direction === 'response' ? loserAmong(parts) : undefined;
  return untaggedCheck(keyword, (value) => choose(keyword, alternatives, closed, findLoser, value), alternatives);
}

/** Which of several alternatives a value matches. */
interface Choice<T> {
  readonly matches: readonly T[];
  /** Present instead of matches: the alternative that declares what a response would drop. */
  readonly loser?: T;
}

export function choose<T extends Pick<Check, 'isValid'>>(
  keyword: 'oneOf' | 'anyOf',
  alternatives: readonly T[],
  closed: () => readonly Pick<Check, 'isValid'>[],
  findLoser: FindLoser | undefined,
  value: unknown,
): Choice<T> {
  const matches = matching(keyword, alternatives, closed, value);
  if (!findLoser || !fits(keyword, matches.length)) return { matches };
  const index = findLoser(
    value,
    alternatives.map((one) => matches.includes(one)),
  );
  return index === undefined ? { matches } : { matches: [], loser: alternatives[index] };
}

function fits(keyword: 'oneOf' | 'anyOf', count: number): boolean {
  return keyword === 'anyOf' ? count > 0 : count === 1;
}

/**
 * Which alternatives a value matches. In a response, two of a `oneOf` may match because they leave out each other's members:
 * then the value belongs to the one that declares all of its members.
 */
function matching<T extends Pick<Check, 'isValid'>>(
  keyword: 'oneOf' | 'anyOf',
  alternatives: readonly T[],
  closed: () => readonly Pick<Check, 'isValid'>[],
  value: unknown,
): T[] {
  const found = alternatives.filter(({ isValid }) => isValid(value));
  if (keyword === 'anyOf' || found.length < 2) return found;
  // Both lists have the same order.
  const exact = alternatives.filter((one, index) => found.includes(one) && closed()[index]!.isValid(value));
  return exact.length === 1 ? exact : found;
}

/** Most contracts never need the result, which takes as long to make as the rest of the schema. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface Alternative extends Check {
  readonly types: ReadonlySet<string>;
  /** Whether it is for null alone. */
  readonly isOnlyNull: boolean;
}

/** The alternative that says what is wrong with a value: the only one beside null, or the only one of its type. */
function onlyFor(value: unknown, alternatives: readonly Alternative[]): Alternative | undefined {
  const others = alternatives.filter((one) => !one.isOnlyNull);
  const concerned = others.length === 1 ? others : others.filter(({ types }) => types.has(typeIn(value)));
  return concerned.length === 1 ? concerned[0] : undefined;
}

function untaggedCheck(
  keyword: 'oneOf' | 'anyOf',
  choiceOf: (value: unknown) => Choice<Check>,
  alternatives: readonly Alternative[],
): Check {
  return {
    isValid: (value) => fits(keyword, choiceOf(value).matches.length),
    explain: (value, place, sentences) => {
      const { matches, loser } = choiceOf(value);
      const count = matches.length;
      if (fits(keyword, count)) return;
      if (loser) {
        const violations: string[] = [];
        loser.explain(value, place, violations);
        const mixed = sentence(place, 'must not have members of several alternatives');
        sentences.push(...(violations.length > 0 ? violations : [mixed]));
        return;
      }
      const only = count === 0 ? onlyFor(value, alternatives) : undefined;
      if (only) {
        only.explain(value, place, sentences);
        return;
      }
      const found = count === 0 ? 'none' : `${count}`;
      const demand = keyword === 'anyOf' ? 'at least one' : 'exactly one';
      sentences.push(
        sentence(place, `must match ${demand} of the ${alternatives.length} declared alternatives, not ${found}`),
      );
    },
    ...(alternatives.some(({ complete }) => complete) && {
      complete: (value: unknown) => {
        const { matches } = choiceOf(value);
        // An alternative of integers takes every digit; one with the format double would round it.
        if (typeof value === 'bigint' && matches.some(({ complete }) => !complete)) return value;
        return matches.reduce((completed, { complete }) => complete?.(completed) ?? completed, value);
      },
    }),
  };
}

/** The types of an alternative: if only one of them has the type of a value, the others do not concern it. */
function typesIn(alternative: ContractNode): ReadonlySet<string> {
  const typed = withAlternatives(alternative).filter((part) => part.get('type') && !isOnlyNull(part));
  return new Set(typed.map(typeOf).map((type) => (type === 'integer' ? 'number' : type)));
}

function typeIn(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof InexactNumber || typeof value === 'bigint') return 'number';
  return value instanceof Date ? 'string' : typeof value;
}

/** A reference whose name is the value of the tag, unless the contract maps another one. */
const COMPONENT = /^#\/components\/schemas\/[^/]+$/;

/** The alternatives by the value of the property that tells them apart. */
export function taggedAlternatives(schema: ContractNode, keyword: 'oneOf' | 'anyOf'): Map<string, ContractNode> {
  const alternatives = schema
    .need(keyword)
    .written()
    .map((written) => {
      const reference = (written.value as { $ref?: string } | null)?.$ref;
      return reference === undefined || !COMPONENT.test(reference)
        ? written.fail('an alternative beside "discriminator" must be a reference to a schema in "components"')
        : { reference, target: written.target() };
    });
  const mapping = (schema.need('discriminator').get('mapping')?.children() ?? []).map((mapped) => {
    const to = mapped.text();
    const found = alternatives.find(({ reference }) => reference === to || reference.endsWith(`/${to}`));
    return found
      ? { name: mapped.key, ...found }
      : mapped.fail(`the mapping "${mapped.key}" must lead to one of the alternatives`);
  });
  // A mapping replaces the name of the schema.
  const unmapped = alternatives.filter(({ reference }) => mapping.every((mapped) => mapped.reference !== reference));
  const shadowed = mapping.find(({ name }) => unmapped.some(({ reference }) => reference.endsWith(`/${name}`)));
  if (shadowed) {
    schema.need('discriminator').fail(`the mapping "${shadowed.name}" hides the alternative of that name; map both`);
  }
  return new Map([
    ...unmapped.map(({ reference, target }) => [reference.split('/').at(-1) ?? '', target] as const),
    ...mapping.map(({ name, target }) => [name, target] as const),
  ]);
}

/** Otherwise a response could be written without the tag, or no request could be valid. */
function assertHasTag(discriminator: ContractNode, tag: string, alternative: ContractNode): void {
  const parts = withParts(alternative);
  const isRequired = parts.some((part) =>
    part
      .get('required')
      ?.children()
      .some((name) => name.value === tag),
  );
  const declarations = declarationsOf(alternative, tag);
  const isOneWay = declarations.some((one) => isFlagged(one, 'readOnly') || isFlagged(one, 'writeOnly'));
  const name = alternative.path.at(-1);
  if (!isRequired || declarations.length === 0 || isOneWay) {
    discriminator.fail(
      `the alternative "${name}" must require "${tag}" and declare it, neither readOnly nor writeOnly`,
    );
  }
  if (parts.some(isNullable)) discriminator.fail(`the alternative "${name}" must not be null: null has no "${tag}"`);
}

function declarationsOf(alternative: ContractNode, tag: string): ContractNode[] {
  return withParts(alternative).flatMap((part) => part.get('properties')?.get(tag) ?? []);
}

/** Otherwise no value could ever match the alternative. */
function assertAcceptsTag(tag: string, name: string, alternative: ContractNode, compile: Compile): void {
  const excluding = declarationsOf(alternative, tag).find((one) => !compile(one).isValid(name));
  excluding?.fail(`"${tag}" must accept "${name}", by which the discriminator chooses this alternative`);
}

function taggedCheck(discriminator: ContractNode, alternatives: Map<string, ContractNode>, compile: Compile): Check {
  const tag = discriminator.need('propertyName').text();
  const checks = new Map([...alternatives].map(([name, schema]) => [name, compile(schema)]));
  for (const alternative of alternatives.values()) assertHasTag(discriminator, tag, alternative);
  for (const [name, alternative] of alternatives) assertAcceptsTag(tag, name, alternative, compile);
  const names = [...checks.keys()].join(', ');
  const chosen = (value: unknown): Check | undefined => checks.get(tagOf(value, tag) as string);
  return {
    isValid: (value) => chosen(value)?.isValid(value) ?? false,
    explain: (value, place, sentences) => {
      const check = chosen(value);
      const at = inside(place, tag);
      if (check) check.explain(value, place, sentences);
      else if (typeof value !== 'object' || value === null || Array.isArray(value))
        sentences.push(sentence(place, 'must be an object'));
      else sentences.push(sentence(at, tagOf(value, tag) === undefined ? 'is required' : `must be one of ${names}`));
    },
    ...([...checks.values()].some(({ complete }) => complete) && {
      complete: (value: unknown) => chosen(value)?.complete?.(value) ?? value,
    }),
  };
}

export function tagOf(value: unknown, tag: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // A class may have an accessor.
  return read(value as Record<string, unknown>, { name: tag, isInherited: tag in Object.prototype });
}
