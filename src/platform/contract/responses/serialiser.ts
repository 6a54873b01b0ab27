import { writeShown } from '../../values/exact-json.js';
import { isJsonObject } from '../../values/json-object.js';
import { hasDuplicates } from '../schemas/array-check.js';
import { compileCheck, isObjectBesideParts } from '../schemas/compile-check.js';
import { isAlwaysEmpty, isFlagged, isNullable, typeOf } from '../schemas/schema-type.js';
import { type JsonValue, readJson } from '../../values/json-reader.js';
import { forgetShown, shown } from '../../values/shown.js';
import type { ContractNode } from '../source/contract-node.js';
import { checkFurtherMembers } from './further-members.js';
import { notA, writeBoolean } from './json-writers.js';
import { numberWriter, textWriter, valuesWriter } from './scalar-writers.js';
import { unionWriter } from './union-writer.js';

/** Writes a body as JSON text: exact integers, declared members only. Throws when the body breaks its schema. */
export type Serialiser = (body: unknown) => string;

/**
 * Turns a schema of the contract, once at start, into a function that writes a value as JSON text: exact integers, only
 * declared members, in the order of declaration. Like JSON.stringify, it calls `toJSON`. It never coerces: a value that does not match the schema throws,
 * because a response that breaks the contract is a fault of the service and must be visible.
 */
export function compileSerialiser(schema: ContractNode): Serialiser {
  const write = compile(schema, []);
  const { explain } = compileCheck(schema, 'response');
  return (returned) => {
    forgetShown();
    const body = shown(returned);
    try {
      return write(body);
    } catch (error) {
      const sentences: string[] = [];
      explain(body, '', sentences);
      const reason = [...new Set(sentences)].join('; ') || 'the body';
      throw new Error(`the response does not match openapi.yaml: ${reason} (${(error as Error).message})`, {
        cause: error,
      });
    }
  };
}

/** `parents` are the places of the schemas that contain this one. */
function compile(schema: ContractNode, parents: readonly string[]): Serialiser {
  const place = schema.path.join('/');
  if (parents.includes(place)) schema.fail('recursive schemas are not supported');
  const inside = [...parents, place];
  const scalar = onlyScalar(schema);
  if (scalar) return scalarWriter(schema, compile(scalar, inside));
  const write = checked(schema, schema.get('allOf') ? compileObject(schema, inside) : compileType(schema, inside));
  // Whether null is one of the values of an enumeration is checked with them.
  if (!acceptsNull(schema) || schema.get('enum') || schema.get('const')) return write;
  return (value) => (value === null ? 'null' : write(value));
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

/** The only part of an `allOf`, which is how OpenAPI 3.0 puts a description or a default beside a reference. */
function onlyScalar(schema: ContractNode): ContractNode | undefined {
  const [part, ...others] = schema.get('allOf')?.children() ?? [];
  return part?.get('type') && others.length === 0 && SCALARS.has(typeOf(part)) ? part : undefined;
}

/** What is beside the part counts as well. */
function scalarWriter(schema: ContractNode, write: Serialiser): Serialiser {
  const { isValid } = compileCheck(schema, 'response');
  return (value) => (isValid(value) ? write(value) : fail('match of every part', value));
}

/** Null meets an `allOf` if it meets all of its parts. */
function acceptsNull(schema: ContractNode): boolean {
  const parts = schema.get('allOf')?.children();
  if (!parts) return isNullable(schema);
  return !isObjectBesideParts(schema) && parts.every(acceptsNull);
}

/** Keywords that the writers of lists and objects do not check. */
const SIZES = ['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'];

function checked(schema: ContractNode, write: Serialiser): Serialiser {
  if (!SIZES.some((keyword) => schema.get(keyword)) && !isAlwaysEmpty(schema)) return write;
  const { isValid } = compileCheck(schema, 'response');
  return (value) => (value === null || isValid(value) ? write(value) : fail('another size', value));
}

function fail(expected: string, value: unknown): never {
  throw notA(expected, value);
}

function compileType(schema: ContractNode, inside: readonly string[]): Serialiser {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    if (schema.get(keyword)) return unionWriter(schema, keyword, (part) => compile(part, inside));
  }
  const type = typeOf(schema);
  if (schema.get('enum') || schema.get('const')) return valuesWriter(schema, type);
  switch (type) {
    case 'object':
      return compileObject(schema, inside);
    case 'array':
      return arrayWriter(compile(schema.need('items'), inside), isFlagged(schema, 'uniqueItems'));
    case 'boolean':
      return writeBoolean;
    case 'string':
      return textWriter(schema);
    case 'integer':
      return numberWriter(schema, 'integer');
    default:
      return numberWriter(schema, 'number');
  }
}

function compileObject(schema: ContractNode, inside: readonly string[]): Serialiser {
  const parts = [schema, ...(schema.get('allOf')?.children() ?? [])];
  for (const part of parts.slice(1)) checkPart(part);
  // A check of the schema alone would count only its own members.
  const size = parts.length > 1 ? SIZES.find((keyword) => schema.get(keyword)) : undefined;
  if (size) schema.get(size)?.failAtName(`"${size}" beside "allOf" is not supported in a response`);
  // Its parts are objects.
  if (schema.get('type') && typeOf(schema) !== 'object')
    schema.need('type').fail('"type" beside "allOf" must be object in a response');
  const required = new Set(parts.flatMap((part) => part.get('required')?.children() ?? []).map((name) => name.text()));
  const properties = parts.flatMap((part) => part.get('properties')?.children() ?? []);
  const isAbsent = (name: string) => properties.every(({ key }) => key !== name);
  const missing = [...required].find(isAbsent);
  if (missing !== undefined) schema.fail(`the required member "${missing}" of a response must be in "properties"`);
  const hidden = new Set(properties.filter((property) => isFlagged(property, 'writeOnly')).map(({ key }) => key));
  const written = properties.filter(({ key }) => !hidden.has(key));
  const members = [...new Set(written.map(({ key }) => key))].map((name) => {
    const same = written.filter(({ key }) => key === name);
    return member(name, required.has(name), writerOfAll(same, inside));
  });
  checkFurtherMembers(
    parts,
    members.map(({ name }) => name),
  );
  if (
    schema.get('maxProperties')?.value !== 0 &&
    parts.every((part) => !part.get('properties') && !part.get('additionalProperties'))
  )
    schema.fail(
      'an object of a response has only declared members, so this one is always empty; add "properties" or "additionalProperties: true", or "maxProperties: 0" if it is meant to be',
    );
  const others = schema.get('additionalProperties')?.value;
  const declared = new Set(properties.map(({ key }) => key));
  if (others === true) return mapWriter(members, declared, writeShown);
  if (typeof others === 'object') {
    return mapWriter(members, declared, compile(schema.need('additionalProperties'), inside));
  }
  return objectWriter(members);
}

/** A member that several parts of an `allOf` declare must match them all. */
function writerOfAll(properties: readonly ContractNode[], inside: readonly string[]): Serialiser {
  const [last, ...others] = properties.toReversed();
  const write = compile(last!, inside); // a member has at least one declaration
  if (others.length === 0) return write;
  const checks = others.map((property) => compileCheck(property, 'response').isValid);
  return (value) => (checks.every((isValid) => isValid(value)) ? write(value) : fail('match of every part', value));
}

/** The parts of an `allOf` are written as one object. */
function checkPart(part: ContractNode): void {
  if (part.get('allOf')) part.fail('nested "allOf" is not supported');
  for (const keyword of ['oneOf', 'anyOf'])
    part.get(keyword)?.fail(`"${keyword}" inside "allOf" is not supported in a response`);
  if (typeOf(part) !== 'object') part.fail('the parts of "allOf" in a response must be of the type object');
  const others = part.get('additionalProperties');
  if (others && others.value !== false)
    others.failAtName('"additionalProperties" inside "allOf" is not supported in a response');
  const size = SIZES.find((keyword) => part.get(keyword));
  if (size) part.get(size)?.failAtName(`"${size}" inside "allOf" is not supported in a response`);
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether every object inherits the name: such a member is present only if it is the object's own. */
  readonly isInherited: boolean;
  readonly write: Serialiser;
  /** The text before the value of a first member: `{"name":`. */
  readonly opening: string;
  /** The text before the value of a later member: `,"name":`. */
  readonly separator: string;
}

function member(name: string, isRequired: boolean, write: Serialiser): Member {
  const quoted = JSON.stringify(name);
  const isInherited = name in Object.prototype;
  return { name, isRequired, isInherited, write, opening: `{${quoted}:`, separator: `,${quoted}:` };
}

function objectWriter(members: readonly Member[]): Serialiser {
  return (value) => {
    const text = writeMembers(members, value);
    return text === '' ? emptyObject(value) : `${text}}`;
  };
}

/** No member was written: the value may be a Map or an unawaited promise, which rarely has a declared member. */
function emptyObject(value: unknown): string {
  return isJsonObject(value) ? '{}' : fail('object', value);
}

/** Writes an object that may have undeclared members. Declared ones that are writeOnly are not written. */
function mapWriter(members: readonly Member[], declared: ReadonlySet<string>, write: Serialiser): Serialiser {
  return (value) => {
    if (!isJsonObject(value)) throw notA('object', value);
    let text = writeMembers(members, value);
    for (const [name, returned] of Object.entries(value)) {
      const item = declared.has(name) ? undefined : shown(returned);
      if (item === undefined) continue;
      text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${write(item)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** Without the closing brace; empty when no member has a value. */
function writeMembers(members: readonly Member[], value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notA('object', value);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const { name, isRequired, isInherited, write, opening, separator } of members) {
    const item = isInherited && !Object.hasOwn(object, name) ? undefined : shown(object[name]);
    if (item !== undefined) text += (text === '' ? opening : separator) + write(item);
    else if (isRequired) throw new Error(`"${name}" is missing`);
  }
  return text;
}

function arrayWriter(write: Serialiser, areUnique: boolean): Serialiser {
  return (value) => {
    if (!Array.isArray(value)) throw notA('array', value);
    let text = '';
    for (const item of value) text += (text === '' ? '[' : ',') + write(shown(item));
    if (text === '') return '[]';
    text += ']';
    // Items may differ only in what is not written.
    if (areUnique && hasDuplicates(readJson(Buffer.from(text)) as JsonValue[]))
      throw new Error('it has duplicates as it is written');
    return text;
  };
}
