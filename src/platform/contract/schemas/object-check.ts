import { InexactNumber } from '../../values/json-reader.js';
import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, type Direction, inside, sentence } from './check.js';
import { isFlagged } from './schema-type.js';

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly check: Check;
  /** Names that every object inherits are present only if they are its own. */
  readonly isInherited: boolean;
  readonly fallback: unknown;
}

const NEVER: Check = {
  isValid: () => false,
  explain: (_, place, sentences) => void sentences.push(sentence(place, 'is read-only and must not be sent')),
};

const UNDECLARED: Check = {
  isValid: () => false,
  explain: (_, place, sentences) => void sentences.push(sentence(place, 'is not declared')),
};

export function objectCheck(schema: ContractNode, direction: Direction, compile: Compile): Check {
  const members = readMembers(schema, direction, compile);
  const others = othersCheck(schema, direction, compile);
  // A member that is only required is not declared: the schema of undeclared members applies to it.
  const declared = new Set(
    schema
      .get('properties')
      ?.children()
      .map(({ key }) => key),
  );
  const least = Number(schema.get('minProperties')?.value ?? 0);
  const most = Number(schema.get('maxProperties')?.value ?? Infinity);
  const isCounted = least > 0 || most < Infinity;
  const fits = (value: unknown): value is Record<string, unknown> => {
    if (!isObject(value)) return false;
    if (!isCounted) return true;
    const count = Object.keys(value).length;
    return count >= least && count <= most;
  };
  const demand = isCounted ? `must be an object${sizeText(least, most)}` : 'must be an object';
  return {
    isValid: (value) => {
      if (!fits(value)) return false;
      for (const member of members) {
        const item = read(value, member);
        if (item === undefined ? member.isRequired : !member.check.isValid(item)) return false;
      }
      return !others || Object.entries(value).every(([name, item]) => declared.has(name) || others.isValid(item));
    },
    explain: (value, place, sentences) => {
      if (!fits(value))
        sentences.push(place === '' && !isCounted ? 'The body must be a JSON object.' : sentence(place, demand));
      if (!isObject(value)) return;
      for (const member of members) {
        const item = read(value, member);
        const at = inside(place, member.name);
        if (item !== undefined) member.check.explain(item, at, sentences);
        else if (member.isRequired) sentences.push(sentence(at, 'is required'));
      }
      if (!others) return;
      for (const [name, item] of Object.entries(value)) {
        if (!declared.has(name)) others.explain(item, inside(place, name.toWellFormed()), sentences);
      }
    },
    ...completion(members, others, declared),
  };
}

function readMembers(schema: ContractNode, direction: Direction, compile: Compile): Member[] {
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
  return [...new Set([...properties.keys(), ...required])].flatMap((name) => {
    const property = properties.get(name);
    if (property && direction === 'response' && isFlagged(property, 'writeOnly')) return [];
    const isHidden = property !== undefined && direction === 'request' && isFlagged(property, 'readOnly');
    const check = property ? compile(property) : ANYTHING;
    return [
      {
        name,
        isRequired: required.has(name) && !isHidden,
        check: isHidden ? NEVER : check,
        isInherited: name in Object.prototype,
        fallback: property && direction === 'request' && !isHidden ? defaultOf(property, check) : undefined,
      },
    ];
  });
}

const ANYTHING: Check = { isValid: () => true, explain: () => {} };

/** The default of a schema, which must match it. */
export function defaultOf(schema: ContractNode, check: Check): unknown {
  const value = schema.get('default');
  if (!value) return undefined;
  const sentences: string[] = [];
  check.explain(value.value, 'the default', sentences);
  if (sentences.length > 0) value.fail(sentences.join('; '));
  return value.value;
}

/** A handler may change what it receives. */
export function freshDefault(fallback: unknown): unknown {
  return typeof fallback === 'object' ? structuredClone(fallback) : fallback;
}

/** Of undeclared members. A response leaves them out, unless the contract declares a schema for them. */
function othersCheck(schema: ContractNode, direction: Direction, compile: Compile): Check | undefined {
  const others = schema.get('additionalProperties');
  if (typeof others?.value === 'object') return compile(others);
  return others?.value === false && direction === 'request' ? UNDECLARED : undefined;
}

function completion(members: readonly Member[], others: Check | undefined, declared: Set<string>): Partial<Check> {
  const changing = members.filter(({ check, fallback }) => check.complete ?? fallback !== undefined);
  const completeOther = others?.complete;
  if (changing.length === 0 && !completeOther) return {};
  return {
    complete: (value) => {
      const object = value as Record<string, unknown>;
      for (const member of changing) {
        const { name, check, fallback } = member;
        const item = read(object, member);
        if (item === undefined && fallback !== undefined) object[name] = freshDefault(fallback);
        else if (item !== undefined && check.complete) object[name] = check.complete(item);
      }
      if (!completeOther) return object;
      for (const name of Object.keys(object)) {
        if (!declared.has(name)) object[name] = completeOther(object[name]);
      }
      return object;
    },
  };
}

function read(object: Record<string, unknown>, { name, isInherited }: Member): unknown {
  return isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);
}

function sizeText(least: number, most: number): string {
  const unit = (most === Infinity ? least : most) === 1 ? 'member' : 'members';
  if (most === Infinity) return ` with at least ${least} ${unit}`;
  return least === 0 ? ` with at most ${most} ${unit}` : ` with ${least} to ${most} ${unit}`;
}
