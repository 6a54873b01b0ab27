import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, type Direction, sentence } from './check.js';
import { flaggedOf } from './schema-type.js';

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
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  const hidden = new Set(wholes.flatMap((whole) => flaggedOf(whole, flag)));
  return [...new Set([...properties.keys(), ...required])].flatMap((name) => {
    const isHidden = hidden.has(name);
    if (isHidden && direction !== 'request') return [];
    const property = properties.get(name);
    const check = property ? compile(property) : ANYTHING;
    return [
      {
        name,
        isRequired: required.has(name) && !isHidden,
        check: isHidden ? NEVER : check,
        isInherited: name in Object.prototype,
        fallback: property && direction === 'request' && !isHidden ? fallbackOf(property, check, required) : undefined,
      },
    ];
  });
}

function fallbackOf(property: ContractNode, check: Check, required: ReadonlySet<string>): unknown {
  const fallback = defaultOf(property, check);
  if (fallback !== undefined && required.has(property.key))
    property.get('default')?.failAtName('"default" has no effect on a required member; remove one of them');
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
  return check.complete ? check.complete(structuredClone(value.value)) : value.value;
}

/** A copy, because a handler may change what it receives. */
export function freshDefault(fallback: unknown): unknown {
  return typeof fallback === 'object' ? structuredClone(fallback) : fallback;
}

export function read(object: Record<string, unknown>, { name, isInherited }: Member): unknown {
  return isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
}
