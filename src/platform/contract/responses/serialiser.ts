import { canonicalText } from '../../values/canonical-text.js';
import { writeShown } from '../../values/exact-json.js';
import { compileCheck, isObjectBesideParts } from '../schemas/compile-check.js';
import {
  assertFinite,
  isAlwaysEmpty,
  isFlagged,
  isNullable,
  isScalar,
  isScalarOnly,
  typeOf,
} from '../schemas/schema-type.js';
import { forgetShown, shown } from '../../values/shown.js';
import type { ContractNode } from '../source/contract-node.js';
import { checkFurtherMembers } from './further-members.js';
import { notA, writeBoolean } from './json-writers.js';
import { arrayWriter, mapWriter, member, objectWriter } from './object-writers.js';
import { integerWriter, numberWriter, textWriter, valuesWriter } from './scalar-writers.js';
import { unionWriter } from './union-writer.js';

/** Writes a body as JSON text: exact integers, declared members only. Throws when the body breaks its schema. */
export type Serialiser = (body: unknown) => string;

/**
 * Turns a schema of the contract, once at start, into a function that writes a value as JSON text: exact integers, only
 * declared members, in the order of declaration. Like JSON.stringify, it calls `toJSON`. It never coerces: a value that
 * does not match the schema throws, because a response that breaks the contract is a fault of the service and must be
 * visible.
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

/** The only part of an `allOf`, which is how OpenAPI 3.0 puts a description or a default beside a reference. */
function onlyScalar(schema: ContractNode): ContractNode | undefined {
  const [part, ...others] = schema.get('allOf')?.children() ?? [];
  return part && others.length === 0 && isScalar(part) ? part : undefined;
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
  const isSized = SIZES.some((keyword) => keyword !== 'uniqueItems' && schema.get(keyword));
  if (!isSized && !isAlwaysEmpty(schema)) return write;
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
  if (schema.get('enum') || schema.get('const')) return valuesWriter(schema);
  switch (type) {
    case 'object':
      return compileObject(schema, inside);
    case 'array':
      return arrayWriter(compile(schema.need('items'), inside), isFlagged(schema, 'uniqueItems'));
    case 'null':
      // `compile` has written null.
      return (value) => fail('null', value);
    case 'boolean':
      return writeBoolean;
    case 'string':
      return textWriter(schema);
    case 'integer':
      return integerWriter(schema);
    default:
      return numberWriter(schema);
  }
}

function compileObject(schema: ContractNode, inside: readonly string[]): Serialiser {
  return compileParts(schema, schema.get('allOf')?.children() ?? [], inside);
}

/** A schema and other schemas of the same object, which is written with the members of all of them. */
function compileParts(schema: ContractNode, others: readonly ContractNode[], inside: readonly string[]): Serialiser {
  const parts = [schema, ...others];
  for (const part of others) checkPart(part);
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
    properties.length === 0 &&
    parts.every((part) => !part.get('additionalProperties'))
  )
    schema.fail(
      'an object of a response has only declared members, so this one is always empty; add "properties" or "additionalProperties: true", or "maxProperties: 0" if it is meant to be',
    );
  const further = schema.get('additionalProperties')?.value;
  const declared = new Set(properties.map(({ key }) => key));
  if (further === true) return mapWriter(members, declared, writeShown);
  if (typeof further === 'object') {
    return mapWriter(members, declared, compile(schema.need('additionalProperties'), inside));
  }
  return objectWriter(members);
}

/** A member that several parts of an `allOf` declare must match them all, and is written as all of them declare it. */
function writerOfAll(properties: readonly ContractNode[], inside: readonly string[]): Serialiser {
  const [last, ...others] = properties.toReversed();
  // A member has at least one declaration.
  if (others.length === 0) return compile(last!, inside);
  const write = properties.every(isScalarOnly) ? compile(last!, inside) : togetherWriter(properties, inside); // as above
  const checks = properties.map((property) => compileCheck(property, 'response').isValid);
  return (value) => (checks.every((isValid) => isValid(value)) ? write(value) : fail('match of every part', value));
}

/** The writer of an object, or of a list, that several schemas describe. */
function togetherWriter(schemas: readonly ContractNode[], inside: readonly string[]): Serialiser {
  // The same schema may stand in several places.
  const different = [...new Map(schemas.flatMap(partsOf).map((part) => [canonicalText(part.value), part])).values()];
  const [first, ...others] = different as [ContractNode, ...ContractNode[]];
  const [second] = others;
  if (!second) return compile(first, inside);
  for (const { path } of different)
    if (inside.includes(path.join('/'))) second.fail('recursive schemas are not supported');
  const places = [...inside, ...different.map(({ path }) => path.join('/'))];
  const types = new Set(different.map((schema) => (schema.get('type') ? typeOf(schema) : 'union')));
  if (types.size > 1 || types.has('union'))
    second.fail(
      `another part of "allOf" declares "${schemas.at(-1)?.key}" differently; in a response, both must be objects or lists with declared members`,
    );
  const write = types.has('array')
    ? arrayWriter(
        writerOfAll(
          different.map((schema) => schema.need('items')),
          places,
        ),
        different.some((schema) => isFlagged(schema, 'uniqueItems')),
      )
    : compileParts(first, others, places);
  return (value) => (value === null ? 'null' : write(value));
}

/** The schemas of an object that a reference and what stands beside it describe. */
function partsOf(schema: ContractNode): ContractNode[] {
  const parts = schema.get('allOf')?.children();
  assertFinite(schema, []);
  if (!parts || isObjectBesideParts(schema)) return [schema];
  return parts.flatMap(partsOf);
}

/** The parts of an `allOf` are written as one object. */
function checkPart(part: ContractNode): void {
  if (part.get('allOf'))
    part.fail('"allOf" inside "allOf" is not supported in a response; list its parts in the outer one');
  for (const keyword of ['oneOf', 'anyOf'])
    part.get(keyword)?.fail(`"${keyword}" inside "allOf" is not supported in a response`);
  if (typeOf(part) !== 'object') part.fail('the parts of "allOf" in a response must be of the type object');
  const others = part.get('additionalProperties');
  if (others && others.value !== false)
    others.failAtName('"additionalProperties" inside "allOf" is not supported in a response');
  const size = SIZES.find((keyword) => part.get(keyword));
  if (size) part.get(size)?.failAtName(`"${size}" inside "allOf" is not supported in a response`);
}
