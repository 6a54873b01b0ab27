import { checkEach } from '../source/check-each.js';
import type { ContractNode } from '../source/contract-node.js';
import { canonicalText } from '../../values/canonical-text.js';
import { writeJson } from '../../values/exact-json.js';
import { readJson } from '../../values/json-reader.js';
import { type Check, type Compile, type Direction, sentence } from './check.js';
import { flaggedOf, isFlagged, requiredOf, withParts } from './schema-type.js';
import { shown } from '../../values/shown.js';

/** A member that "properties" or "required" of an object name. */
export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly check: Check;
  /** Whether every object inherits the name: such a member is present only if it is the object's own. */
  readonly isInherited: boolean;
  readonly fallback: unknown;
}

const NEVER: Check = {
  isValid: () => false,
  explain: (_, place, sentences) => void sentences.push(sentence(place, 'is read-only and must not be sent')),
};

/** `wholes` are the schema and those of which it is a part: another part may say that a member is readOnly. */
export function readMembers(
  schema: ContractNode,
  direction: Direction,
  compile: Compile,
  wholes: readonly ContractNode[],
): Member[] {
  const required = new Set(
    schema
      .get('required')
      ?.children()
      .map((name) => name.text()),
  );
  const properties = new Map(
    schema
      .get('properties')
      ?.children()
      .map((property) => [property.key, property]),
  );
  if (direction === 'request') assertMayBeSent(schema, new Set(properties.keys()), wholes);
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  const hidden = new Set(wholes.flatMap((whole) => flaggedOf(whole, flag)));
  const names = new Set([...properties.keys(), ...required]);
  const members = checkEach(names, (name): Member[] => {
    const isHidden = hidden.has(name);
    if (isHidden && direction !== 'request') return [];
    const property = properties.get(name);
    // No request has a hidden member; its schema must be valid all the same.
    const check = property ? compile(property, isHidden ? 'response' : direction) : ANYTHING;
    return [
      {
        name,
        isRequired: required.has(name) && !isHidden,
        check: isHidden ? NEVER : check,
        isInherited: name in Object.prototype,
        fallback:
          property && direction === 'request' && !isHidden ? fallbackOf(property, check, compile, wholes) : undefined,
      },
    ];
  });
  return members.flat();
}

/** Otherwise no request could be valid: "additionalProperties" does not see the members of other parts. */
function assertMayBeSent(schema: ContractNode, own: ReadonlySet<string>, wholes: readonly ContractNode[]): void {
  const others = schema.get('additionalProperties');
  // An alternative may be one that no request chooses.
  if (others?.value !== false || wholes.some((whole) => whole.get('oneOf') ?? whole.get('anyOf'))) return;
  const readOnly = new Set(wholes.flatMap((whole) => flaggedOf(whole, 'readOnly')));
  const foreign = wholes.flatMap(requiredOf).find((name) => !own.has(name) && !readOnly.has(name));
  if (foreign === undefined) return;
  others.failAtName(
    `"additionalProperties" forbids "${foreign}", which is required; declare "${foreign}" here too, or remove "additionalProperties"`,
  );
}

function fallbackOf(property: ContractNode, check: Check, compile: Compile, wholes: readonly ContractNode[]): unknown {
  const fallback = defaultOf(property, check);
  if (fallback !== undefined) assertFits(property, compile, wholes);
  return fallback;
}

const ANYTHING: Check = { isValid: () => true, explain: () => {} };

/** The default of a schema, which must match it, with the defaults inside. */
export function defaultOf(schema: ContractNode, check: Check): unknown {
  const value = schema.get('default');
  if (!value) return undefined;
  const sentences: string[] = [];
  check.explain(value.value, 'the default', sentences);
  if (sentences.length > 0) value.fail(sentences.join('; '));
  const sent = asSent(value);
  return check.complete ? check.complete(sent) : sent;
}

/** The default as a request would have it: YAML reads an integer with an exponent as a double, also beyond 2^53. */
function asSent(value: ContractNode): unknown {
  try {
    return readJson(Buffer.from(writeJson(value.value)));
  } catch {
    return value.fail('JSON cannot hold the default; write one that a request could have');
  }
}

/** With its default filled in, an object must still meet all that describes it. */
function assertFits(property: ContractNode, compile: Compile, wholes: readonly ContractNode[]): void {
  const written = property.need('default');
  if (wholes.some((whole) => requiredOf(whole).includes(property.key)))
    written.failAtName('"default" has no effect on a required member; remove one of them');
  const violations = wholes.flatMap((whole) => violationsIn(whole, property, compile));
  if (violations.length > 0) written.fail([...new Set(violations)].join('; '));
  if (mayBeFull(wholes.flatMap(withParts)))
    written.failAtName(
      '"default" may add a member beyond "maxProperties"; remove one of them, or forbid further members',
    );
}

/** What a schema says against the default of a member. Alternatives are only against it if each of them is. */
function violationsIn(schema: ContractNode, property: ContractNode, compile: Compile): string[] {
  const inParts = schema.get('allOf')?.children() ?? [];
  const inAlternatives = ['oneOf', 'anyOf'].flatMap((keyword) => {
    const found = (schema.get(keyword)?.children() ?? []).map((one) => violationsIn(one, property, compile));
    return found.every((violations) => violations.length > 0) ? found.flat() : [];
  });
  return [
    ...violationsOf(schema, property, compile),
    ...inParts.flatMap((part) => violationsIn(part, property, compile)),
    ...inAlternatives,
  ];
}

function violationsOf(schema: ContractNode, property: ContractNode, compile: Compile): string[] {
  const own = schema.get('properties')?.get(property.key);
  if (own?.path.join('/') === property.path.join('/')) return [];
  const others = schema.get('additionalProperties');
  const { value } = property.need('default');
  const sentences: string[] = [];
  const further = typeof others?.value === 'object' ? others : undefined;
  const declared = own ?? further;
  if (declared) compile(declared).explain(value, 'the default', sentences);
  else if (others?.value === false)
    sentences.push(`"additionalProperties" of another part forbids "${property.key}"; declare it there, too`);
  const other = own?.get('default');
  if (other && canonicalText(other.value) !== canonicalText(value))
    sentences.push('another part declares another default; remove one of them');
  return sentences;
}

/** Whether a request may already have as many members as "maxProperties" allows, besides one with a default. */
function mayBeFull(parts: readonly ContractNode[]): boolean {
  const most = Math.min(...parts.map((part) => Number(part.get('maxProperties')?.value ?? Infinity)));
  if (most === Infinity) return false;
  const closed = parts.filter((part) => part.get('additionalProperties')?.value === false);
  // An object is open by default.
  if (closed.length === 0) return true;
  const sent = parts
    .flatMap((part) => part.get('properties')?.children() ?? [])
    .filter((one) => !isFlagged(one, 'readOnly') && closed.every((part) => part.get('properties')?.get(one.key)));
  return new Set(sent.map(({ key }) => key)).size > most;
}

/** A copy, because a handler may change what it receives. */
export function freshDefault(fallback: unknown): unknown {
  return typeof fallback === 'object' ? structuredClone(fallback) : fallback;
}

/** A request was read from JSON, so that nothing in it has a `toJSON`. */
export function read(
  object: Record<string, unknown>,
  { name, isInherited }: Pick<Member, 'name' | 'isInherited'>,
): unknown {
  return isInherited && !Object.hasOwn(object, name) ? undefined : shown(object[name]);
}
