import { canonicalText } from '../../values/canonical-text.js';
import { isReadObject } from '../../values/json-object.js';
import { shown } from '../../values/shown.js';
import type { ContractNode } from '../source/contract-node.js';
import { read } from './object-members.js';
import { flaggedOf, withAlternatives } from './schema-type.js';

/** What a schema declares of the values in a response. */
interface Declared {
  readonly members: ReadonlyMap<string, Declared>;
  /** Declared, but never in a response. */
  readonly hidden: ReadonlySet<string>;
  /** Of members that have no declaration of their own. */
  readonly others?: Declared;
  readonly items?: Declared;
  /** The values of an enumeration, as canonical text. */
  readonly values?: ReadonlySet<string>;
}

/** Declares no member by name; a response has all of them. */
const FREE: Declared = { members: new Map(), hidden: new Set() };

/** The index of the alternative that declares the most members which the written ones would drop. */
export type FindLoser = (value: unknown, isWritten: readonly boolean[]) => number | undefined;

/**
 * A response has only the members that the matching alternatives declare. If a value has members that only another one
 * declares, it was meant to be that one, which something else in the value breaks.
 */
export function loserAmong(alternatives: readonly ContractNode[]): FindLoser {
  let declared: readonly Declared[] | undefined;
  return (value, isWritten) => {
    if (typeof value !== 'object' || value === null || isWritten.every(Boolean)) return undefined;
    // Most contracts never need it.
    declared ??= alternatives.map((one) => declaredBy([one]));
    const written = declared.filter((_, index) => isWritten[index]);
    const losses = declared.map((one, index) => (isWritten[index] ? 0 : lossOf(value, one, written)));
    const most = Math.max(...losses);
    return most > 0 ? losses.indexOf(most) : undefined;
  };
}

/** All of these schemas, their parts and alternatives describe the same value. */
function declaredBy(schemas: readonly ContractNode[]): Declared {
  const all = schemas.flatMap(withAlternatives);
  const properties = all.flatMap((one) => one.get('properties')?.children() ?? []);
  const byName = new Map<string, ContractNode[]>();
  for (const property of properties) byName.set(property.key, [...(byName.get(property.key) ?? []), property]);
  const further = all.flatMap((one) => one.get('additionalProperties') ?? []);
  const others = further.filter(({ value }) => typeof value === 'object');
  const items = all.flatMap((one) => one.get('items') ?? []);
  const listed = schemas.flatMap((one) => listedBy(one) ?? []);
  return {
    members: new Map([...byName].map(([name, same]) => [name, declaredBy(same)])),
    hidden: new Set(schemas.flatMap((schema) => flaggedOf(schema, 'writeOnly'))),
    ...(others.length > 0 && { others: declaredBy(others) }),
    ...(further.some(({ value }) => value === true) && { others: FREE }),
    ...(items.length > 0 && { items: declaredBy(items) }),
    ...(listed.length > 0 && { values: new Set(listed) }),
  };
}

/** The values that a member may have, as canonical text, if all of them are listed. */
function listedBy(schema: ContractNode): string[] | undefined {
  const values = schema.get('const') ? [schema.need('const')] : schema.get('enum')?.children();
  if (values) return values.map(({ value }) => canonicalText(value));
  const ofParts = (schema.get('allOf')?.children() ?? []).flatMap((part) => listedBy(part) ?? []);
  if (ofParts.length > 0) return ofParts;
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  const ofAlternatives = alternatives.map(listedBy);
  return ofAlternatives.length > 0 && ofAlternatives.every((one) => one !== undefined)
    ? ofAlternatives.flat()
    : undefined;
}

/** How many members of a value one alternative declares, but none of the written ones, at any depth. */
function lossOf(value: unknown, one: Declared, written: readonly Declared[]): number {
  if (one === FREE || written.includes(FREE)) return 0;
  if (Array.isArray(value)) {
    const [own, theirs] = [one.items, written.flatMap(({ items }) => items ?? [])];
    return own ? sum(value.map((item) => lossOf(shown(item), own, theirs))) : 0;
  }
  if (!isReadObject(value)) return 0;
  const itemOf = (name: string) => read(value, { name, isInherited: name in Object.prototype });
  if ([...one.members].some(([name, member]) => isOther(itemOf(name), member, declaring(name, written)))) return 0;
  const names = [...one.members.keys(), ...(one.others ? Object.keys(value) : [])];
  return sum(
    [...new Set(names)].map((name) => {
      const item = itemOf(name);
      // Rows of a database have null for what they lack, and classes have methods.
      if (item === undefined || item === null || typeof item === 'function' || one.hidden.has(name)) return 0;
      const theirs = declaring(name, written);
      if (theirs.length === 0) return one.members.has(name) ? 1 : 0;
      return lossOf(item, one.members.get(name) ?? FREE, theirs) + lossOf(item, one.others ?? FREE, theirs);
    }),
  );
}

/** Whether a member that has one of several values in each alternative says that the value is another alternative. */
function isOther(item: unknown, { values }: Declared, written: readonly Declared[]): boolean {
  if (!values || item === undefined || !written.some((other) => other.values)) return false;
  return !values.has(canonicalText(item));
}

function declaring(name: string, written: readonly Declared[]): Declared[] {
  return written.flatMap(({ members, others }) => members.get(name) ?? others ?? []);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
