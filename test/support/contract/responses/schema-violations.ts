import { isAnnotation } from '../../../contract/annotations.js';
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../../contract/open-api.js';
import { FORMATS } from './formats.js';
import { isInteger } from './numbers.js';

type Check = (value: unknown, schema: Schema) => string | false;

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
};

const CHECKS: Record<string, Check> = {
  type: (value, { type = '' }) => !named(TYPES, type)(value) && `is not of type ${type}`,
  format: (value, { format = '' }) => !named(FORMATS, format)(value) && `is not a valid ${format}`,
  enum: (value, schema) => !schema.enum?.includes(value) && `is not one of ${schema.enum?.join(', ')}`,
  minimum: (value, { minimum }) => isNumber(value) && value < minimum! && `is less than ${minimum}`,
  maximum: (value, { maximum }) => isNumber(value) && value > maximum! && `is greater than ${maximum}`,
  exclusiveMinimum: (value, { exclusiveMinimum: bound }) =>
    isNumber(value) && value <= (bound as number) && `is not greater than ${String(bound)}`,
  exclusiveMaximum: (value, { exclusiveMaximum: bound }) =>
    isNumber(value) && value >= (bound as number) && `is not less than ${String(bound)}`,
  multipleOf: (value, { multipleOf }) =>
    isNumber(value) && !isMultiple(value, multipleOf as number) && `is not a multiple of ${String(multipleOf)}`,
  minLength: (value, { minLength }) => length(value) < Number(minLength) && `is shorter than ${String(minLength)}`,
  maxLength: (value, { maxLength }) => length(value) > Number(maxLength) && `is longer than ${String(maxLength)}`,
  pattern: (value, { pattern }) =>
    typeof value === 'string' && !RegExp(String(pattern), 'u').test(value) && `does not match ${String(pattern)}`,
  minItems: (value, { minItems }) => count(value) < Number(minItems) && `has fewer than ${String(minItems)} items`,
  maxItems: (value, { maxItems }) => count(value) > Number(maxItems) && `has more than ${String(maxItems)} items`,
  uniqueItems: (value, { uniqueItems }) =>
    uniqueItems === true && Array.isArray(value) && hasEqual(value) && 'has equal items',
  minProperties: (value, { minProperties: least }) =>
    members(value) < Number(least) && `has fewer than ${String(least)} members`,
  maxProperties: (value, { maxProperties: most }) =>
    members(value) > Number(most) && `has more than ${String(most)} members`,
  oneOf: (value, { oneOf }) => matches(value, oneOf) !== 1 && 'does not match exactly one of the alternatives',
  anyOf: (value, { anyOf }) => !matchesAny(value, anyOf as Schema[]) && 'matches none of the alternatives',
};

const count = (value: unknown): number => (Array.isArray(value) ? value.length : NaN);

/** How many of the alternatives the value matches. */
const matches = (value: unknown, alternatives: unknown): number =>
  (alternatives as Schema[]).filter((schema) => schemaViolations(value, schema).length === 0).length;

/** All alternatives of `anyOf` that match act: each has its members, and the object has those of all. */
function matchesAny(value: unknown, alternatives: readonly Schema[]): boolean {
  if (matches(value, alternatives) > 0) return true;
  if (!isObject(value) || Array.isArray(value)) return false;
  const acting = alternatives.filter(
    (one) => one.additionalProperties !== false && schemaViolations(declaredMembers(value, one), one).length === 0,
  );
  return Object.keys(value).every((name) => acting.some((one) => memberSchema(one, name) !== undefined));
}

function declaredMembers(value: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => memberSchema(schema, name) !== undefined));
}

const members = (value: unknown): number =>
  isObject(value) && !Array.isArray(value) ? Object.keys(value).length : NaN;

/** Keywords without a check of their own. That of a discriminator is the check of the alternatives. */
const STRUCTURE = new Set([
  'properties',
  'required',
  'items',
  'additionalProperties',
  'nullable',
  'default',
  'discriminator',
  'readOnly',
  'writeOnly',
]);

/**
 * Lists the violations of a value, one sentence each; compares numbers exactly. The schema must not contain `$ref` or
 * `allOf`. An undeclared member is a violation: responses contain only declared members.
 */
export function schemaViolations(value: unknown, schema: Schema, at = 'the body'): string[] {
  if (value === null && schema.nullable === true) return [];
  const wrong = Object.keys(schema).flatMap((keyword) => {
    if (STRUCTURE.has(keyword) || isAnnotation(keyword)) return [];
    const violation = named(CHECKS, keyword)(value, schema);
    return violation === false ? [] : [`${at} ${violation}`];
  });
  if (wrong.length > 0) return wrong;
  if (Array.isArray(value))
    return value.flatMap((item, i) => schemaViolations(item, schema.items ?? {}, `${at}[${i}]`));
  if (isObject(value) && (schema.properties || schema.additionalProperties !== undefined)) {
    return memberViolations(value, schema, at);
  }
  return [];
}

function memberViolations(value: Record<string, unknown>, schema: Schema, at: string): string[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name) && !isWriteOnly(schema, name));
  return [
    ...missing.map((name) => `${at} lacks ${name}`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const declared = memberSchema(schema, name);
      return declared ? schemaViolations(member, declared, `${at}.${name}`) : [`${at}.${name} is not declared`];
    }),
  ];
}

function isWriteOnly({ properties = {} }: Schema, name: string): boolean {
  return properties[name]?.writeOnly === true;
}

/** Undefined for a member that a response may not have. */
function memberSchema({ properties = {}, additionalProperties }: Schema, name: string): Schema | undefined {
  const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (declared) return isWriteOnly({ properties }, name) ? undefined : declared;
  if (additionalProperties === true) return {};
  return typeof additionalProperties === 'object' ? (additionalProperties as Schema) : undefined;
}

/** Whether two items of a list are the same value. */
function hasEqual(items: readonly unknown[]): boolean {
  return items.some((item, at) => items.slice(at + 1).some((other) => isDeepStrictEqual(item, other)));
}

/** Numbers are compared as the decimals that they are written as: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  const [one, other] = [decimal(value), decimal(factor)];
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = [one, other].map((it) => it.digits * 10n ** BigInt(it.exponent - exponent));
  const [dividend = 0n, divisor = 1n] = scaled;
  return dividend % divisor === 0n;
}

function decimal(value: number | bigint): { digits: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

// An unchecked keyword would make every response look valid.
function named<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Error(`the tests cannot check the schema keyword or value ${name}`);
  return found;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** In code points, as JSON Schema counts. */
function length(value: unknown): number {
  return typeof value === 'string' ? Array.from(value).length : NaN;
}
