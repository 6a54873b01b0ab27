import { writeJson } from '../../values/exact-json.js';
import { isReadObject } from '../../values/json-object.js';
import { type JsonValue, readJson } from '../../values/json-reader.js';
import { compileCheck } from '../schemas/compile-check.js';
import { loserAmong } from '../schemas/lost-members.js';
import { choose, once, taggedAlternatives, tagOf } from '../schemas/union-check.js';
import { isAlwaysEmpty, isFlagged, isScalarOnly, withAlternatives } from '../schemas/schema-type.js';
import type { ContractNode } from '../source/contract-node.js';
import { notA } from './json-writers.js';

type Writer = (value: unknown) => string;

/** Writes a value as the alternative that it matches. */
export function unionWriter(
  schema: ContractNode,
  keyword: 'oneOf' | 'anyOf',
  compile: (part: ContractNode) => Writer,
): Writer {
  const discriminator = schema.get('discriminator');
  if (discriminator) {
    const tag = discriminator.need('propertyName').text();
    const writers = new Map([...taggedAlternatives(schema, keyword)].map(([name, part]) => [name, compile(part)]));
    return (value) => {
      const write = writers.get(tagOf(value, tag) as string);
      if (!write) throw notA('declared alternative', value);
      return write(value);
    };
  }
  const parts = schema.need(keyword).children();
  const alternatives = parts.map((part) => alternative(part, compile(part)));
  const closed = once(() => parts.map((part) => compileCheck(part, 'closed response')));
  const findLoser = loserAmong(parts);
  // A member that is not written can only tell one object from another.
  const mayDiffer = keyword === 'oneOf' && parts.filter((part) => !isScalarOnly(part)).length > 1;
  if (keyword === 'anyOf') parts.forEach(refuseWriteOnly);
  refuseOpenSizes(parts);
  return (value) => {
    const [first, ...others] = choose(keyword, alternatives, closed, findLoser, value).matches;
    if (!first || (keyword === 'oneOf' && others.length > 0)) throw notA(`match of ${keyword}`, value);
    const text = first.write(value);
    const sent = mayDiffer ? asWritten(value, text) : value;
    if (sent !== value) {
      const [only, ...more] = choose(keyword, alternatives, closed, findLoser, sent).matches;
      if (only !== first || more.length > 0) throw notA('one match of oneOf without what is not written', sent);
    }
    const otherTexts = others.map(({ write }) => write(value)).filter((other) => other !== text);
    if (otherTexts.length === 0) return text;
    const whole = [text, ...otherTexts].map(parse).reduce(merged);
    // With additionalProperties false, no alternative may allow the members of all of them.
    if (!closed().some(({ isValid }) => isValid(whole))) throw new Error('it has members of several alternatives');
    return writeJson(whole);
  };
}

function alternative(part: ContractNode, write: Writer): { isValid: (value: unknown) => boolean; write: Writer } {
  const { isValid } = compileCheck(part, 'response');
  if (!hasUniqueObjects(part)) return { isValid, write };
  return { isValid: (value) => isValid(value) && isWritten(value, write), write };
}

/** Whether a list inside has no duplicates as it is written, which its check cannot tell. */
function hasUniqueObjects(schema: ContractNode): boolean {
  const isUnique = isFlagged(schema, 'uniqueItems') && !isScalarOnly(schema.need('items'));
  return isUnique || schemasInside(schema).some(hasUniqueObjects);
}

function isWritten(value: unknown, write: Writer): boolean {
  try {
    write(value);
    return true;
  } catch {
    return false;
  }
}

/** The value without the members that are not written: null in a row of a database may rule out another alternative. */
function asWritten(value: unknown, text: string): unknown {
  if (!isReadObject(value)) return value;
  // Only names are read, so that no number is rounded.
  const written = new Set(Object.keys(JSON.parse(text) as object));
  if (Object.keys(value).every((name) => written.has(name))) return value;
  return Object.fromEntries([...written].map((name) => [name, value[name]]));
}

/** In an `anyOf`, one alternative would write a member that another one hides. */
function refuseWriteOnly(schema: ContractNode): void {
  const properties = schema.get('properties')?.children() ?? [];
  const hidden = properties.find((property) => isFlagged(property, 'writeOnly'));
  hidden
    ?.get('writeOnly')
    ?.failAtName('"writeOnly" inside "anyOf" is not supported in a response; use "oneOf", or a discriminator');
  schemasInside(schema).forEach(refuseWriteOnly);
}

/** One alternative may write members that another one does not declare, and so does not count. */
function refuseOpenSizes(alternatives: readonly ContractNode[]): void {
  if (alternatives.filter((one) => !isScalarOnly(one)).length < 2) return;
  const all = alternatives.flatMap(withAlternatives);
  all.forEach(refuseOpenSize);
  // Of a member or an item, each of them may write its own members.
  const members = all.flatMap((one) => one.get('properties')?.children() ?? []);
  for (const name of new Set(members.map(({ key }) => key))) refuseOpenSizes(members.filter(({ key }) => key === name));
  refuseOpenSizes(all.flatMap((one) => one.get('items') ?? []));
}

function refuseOpenSize(schema: ContractNode): void {
  const size = ['minProperties', 'maxProperties'].find((keyword) => schema.get(keyword));
  if (size !== undefined && !schema.get('additionalProperties') && !isAlwaysEmpty(schema))
    schema
      .get(size)
      ?.failAtName(
        `members that only another alternative declares count; add "additionalProperties: false" beside "properties", or remove "${size}"`,
      );
}

/** Its parts and alternatives, and the schemas of its members and items. */
function schemasInside(schema: ContractNode): ContractNode[] {
  const composed = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => schema.get(keyword)?.children() ?? []);
  const members = schema.get('properties')?.children() ?? [];
  const others = schema.get('additionalProperties');
  const unnamed = [schema.get('items'), typeof others?.value === 'object' ? others : undefined];
  return [...members, ...composed, ...unnamed.filter((one) => one !== undefined)];
}

const parse = (text: string): JsonValue => readJson(Buffer.from(text));

/** Each alternative of an `anyOf` writes the members that it declares: together they are the value. */
function merged(one: JsonValue, other: JsonValue): JsonValue {
  if (Array.isArray(one) && Array.isArray(other)) {
    // Both are the same list.
    return one.map((item, index) => merged(item, other[index]!));
  }
  if (!isReadObject(one) || !isReadObject(other)) return one;
  const members = Object.entries(one).map(([name, item]) => {
    const same = Object.hasOwn(other, name) ? other[name] : undefined;
    return [name, same === undefined ? item : merged(item, same)] as const;
  });
  const missing = Object.entries(other).filter(([name]) => !Object.hasOwn(one, name));
  return Object.fromEntries([...members, ...missing]);
}
