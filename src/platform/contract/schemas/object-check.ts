import { isJsonScalar } from '../../values/exact-json.js';
import { isJsonObject, isReadObject } from '../../values/json-object.js';
import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, type Direction, inside, sentence, sizeText } from './check.js';
import { freshDefault, type Member, read, readMembers } from './object-members.js';
import { ignoresOthers } from './ignored-members.js';
import { flaggedOf, isAlwaysEmpty, requiredOf } from './schema-type.js';
import { shown } from '../../values/shown.js';

const UNDECLARED: Check = {
  isValid: () => false,
  explain: (_, place, sentences) => void sentences.push(sentence(place, 'is not declared')),
};

/** For undeclared members that a response may have. `explain` reports what JSON cannot hold; writing refuses it. */
const ANYTHING: Check = { isValid: () => true, explain: explainAny };

function explainAny(value: unknown, place: string, sentences: string[]): void {
  if (Array.isArray(value) || isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) explainAny(shown(item), inside(place, name), sentences);
  } else if (!isJsonScalar(value)) sentences.push(sentence(place, 'must be a value of JSON'));
}

/** `wholes` are the schema and those of which it is a part. */
export function objectCheck(
  schema: ContractNode,
  direction: Direction,
  compile: Compile,
  wholes: readonly ContractNode[],
): Check {
  const members = readMembers(schema, direction, compile, wholes);
  const others = othersCheck(schema, direction, compile);
  // A member that is only required is not declared: the schema of undeclared members applies to it.
  const declared = new Set(
    schema
      .get('properties')
      ?.children()
      .map(({ key }) => key),
  );
  const least = Number(schema.get('minProperties')?.value ?? 0);
  if (direction === 'request') assertCountsDeclared(schema, least, wholes[0] ?? schema);
  assertEnough(schema, direction, least, members.filter(({ name }) => declared.has(name)).length);
  // A response leaves out undeclared members, but not from an object that must be empty: the handler means them.
  const isEmpty = direction !== 'request' && isAlwaysEmpty(schema);
  const most = isEmpty ? 0 : Number(schema.get('maxProperties')?.value ?? Infinity);
  const isCounted = least > 0 || most < Infinity;
  // A response does not write a member that is undefined, nor one that is not declared.
  const othersOf = (value: Record<string, unknown>) =>
    Object.entries(value)
      .filter(([name]) => !declared.has(name))
      .map(([name, item]) => [name, shown(item)] as const)
      .filter(([, item]) => item !== undefined);
  const writesOthers = direction === 'request' || (schema.get('additionalProperties')?.value ?? false) !== false;
  const isPresent = (value: Record<string, unknown>) => (member: Member) =>
    declared.has(member.name) && read(value, member) !== undefined;
  // A request consists of what was read from JSON. A handler may return anything: like the writer, this accepts any
  // object with a declared member.
  const isObject = (value: unknown): value is Record<string, unknown> => {
    if (direction === 'request') return isReadObject(value);
    return isJsonObject(value) || (!writesOthers && isReadObject(value) && members.some(isPresent(value)));
  };
  const countOf = (value: Record<string, unknown>): number => {
    const own = members.filter(isPresent(value)).length;
    return own + (writesOthers || isEmpty ? othersOf(value).length : 0);
  };
  const fits = (value: unknown): value is Record<string, unknown> => {
    if (!isObject(value)) return false;
    if (!isCounted) return true;
    const count = countOf(value);
    return count >= least && count <= most;
  };
  const demand = `must be an object${sizeText(least, most, 'member', 'with')}`;
  return {
    isValid: (value) => {
      if (!fits(value)) return false;
      for (const member of members) {
        const item = read(value, member);
        if (item === undefined ? member.isRequired : !member.check.isValid(item)) return false;
      }
      return !others || othersOf(value).every(([, item]) => others.isValid(item));
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
      for (const [name, item] of othersOf(value)) {
        others.explain(item, inside(place, name), sentences);
      }
    },
    ...completion(members, others, declared),
  };
}

/** Otherwise an object of undeclared members alone would be accepted, and reach the handler without any. */
function assertCountsDeclared(schema: ContractNode, least: number, whole: ContractNode): void {
  const readOnly = new Set(flaggedOf(whole, 'readOnly'));
  const sent = new Set(requiredOf(whole).filter((name) => !readOnly.has(name)));
  if (least > sent.size && ignoresOthers(whole))
    schema
      .get('minProperties')
      ?.failAtName(
        'undeclared members count, but a DTO drops them; add "additionalProperties: false" beside "properties", or remove "minProperties"',
      );
}

/** Otherwise no value could ever match. */
function assertEnough(schema: ContractNode, direction: Direction, least: number, count: number): void {
  const others = schema.get('additionalProperties')?.value ?? direction === 'request';
  if (others === false && least > count)
    schema
      .get('minProperties')
      ?.failAtName(
        `no more than ${count} members are declared here, so that no object can match; declare more, or lower "minProperties"`,
      );
}

/** The check of undeclared members. A response leaves them out, unless the contract allows them. */
function othersCheck(schema: ContractNode, direction: Direction, compile: Compile): Check | undefined {
  const others = schema.get('additionalProperties');
  if (typeof others?.value === 'object') return compile(others);
  if (others?.value === true && direction !== 'request') return ANYTHING;
  return others?.value === false && direction !== 'response' ? UNDECLARED : undefined;
}

function completion(members: readonly Member[], others: Check | undefined, declared: Set<string>): Partial<Check> {
  const changing = members.filter(({ check, fallback }) => check.complete ?? fallback !== undefined);
  const completeOther = others?.complete;
  if (changing.length === 0 && !completeOther) return {};
  return {
    complete: (value) => {
      const object = { ...(value as Record<string, unknown>) };
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
