import type { Schema } from '../../../contract/open-api.js';
import { writeJson } from '../exact-json.js';
import { INT64_MINIMUM, integerBounds, outermostMultiples } from './integer-bounds.js';

/** A value that the tests must send for one input of an operation: a boundary, an enum value, none, … */
export interface InputCell {
  readonly name: string;
  /** Whether the contract allows it. */
  readonly valid: boolean;
  readonly matches: (value: InputValue) => boolean;
}

/** Integers are bigint; an omitted input is undefined, a repeated parameter is an array. */
export type InputValue = unknown;

/** The values that a test run must send for an input with this schema. */
export function inputCells(schema: Schema, { required, inBody }: { required: boolean; inBody: boolean }): InputCell[] {
  if (schema.readOnly === true) return READ_ONLY;
  const omitted = cell(
    schema.default === undefined ? 'omitted' : `omitted (${writeJson(schema.default)})`,
    !required,
    isExactly(undefined),
  );
  return [omitted, ...(inBody ? bodyCells(schema) : parameterCells(schema))];
}

/** A request never has such a member, even if the contract requires it of responses. */
const READ_ONLY: InputCell[] = [
  cell('omitted', true, isExactly(undefined)),
  cell('given', false, (value) => value !== undefined),
];

/** A parameter is text: what the contract declares of it is accepted, and nothing else is. */
function parameterCells(schema: Schema): InputCell[] {
  if (schema.enum) return enumCells(schema.enum);
  return schema.type === 'integer' ? integerCells(schema) : [cell('given', true, isPresent)];
}

function bodyCells(schema: Schema): InputCell[] {
  const { type } = schema;
  const isNull = cell('null', acceptsNull(schema), isExactly(null));
  if (schema.enum) return [isNull, ...enumCells(schema.enum)];
  if (type === 'integer') return [isNull, ...integerCells(schema)];
  const given = cell('given', true, (value) => isPresent(value) && (type === undefined || isOfType(value, type)));
  if (type !== undefined) return [isNull, given, cell(`non-${type}`, false, (value) => !isOfType(value, type))];
  return schema.oneOf || schema.anyOf ? [isNull, given] : [given];
}

/** Null may be valid for a schema, or for its alternatives: for exactly one of `oneOf`, for any of `anyOf`. */
function acceptsNull({ nullable, type, enum: values, oneOf, anyOf }: Schema): boolean {
  if (nullable === true) return true;
  if (type !== undefined) return false;
  if (values) return values.includes(null);
  if (oneOf) return (oneOf as Schema[]).filter(acceptsNull).length === 1;
  return anyOf === undefined || (anyOf as Schema[]).some(acceptsNull);
}

function enumCells(values: readonly unknown[]): InputCell[] {
  return [
    ...values.map((value) => cell(nameOf(value), true, isEqualTo(value))),
    cell('unknown', false, (value) => isPresent(value) && !values.some((one) => isEqualTo(one)(value))),
  ];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value);
}

function integerCells(schema: Schema): InputCell[] {
  const { lowest, highest } = integerBounds(schema);
  const [first, last] = outermostMultiples(schema);
  return [
    ...(first === undefined ? [] : [cell(named(first), true, isExactly(first))]),
    ...(lowest === undefined ? [] : [below(lowest)]),
    ...(last === undefined ? [] : [cell(named(last), true, isExactly(last))]),
    ...(highest === undefined ? [] : [above(highest)]),
    cell('non-integer', false, (value) => isPresent(value) && !Array.isArray(value) && typeof value !== 'bigint'),
  ];
}

function below(lowest: bigint): InputCell {
  return cell(named(lowest - 1n), false, isExactly(lowest - 1n));
}

function above(highest: bigint): InputCell {
  return cell(named(highest + 1n), false, isExactly(highest + 1n));
}

function named(integer: bigint): string {
  for (const offset of [-1n, 0n, 1n]) {
    const suffix = ['-1', '', '+1'][Number(offset) + 1]!;
    if (integer - offset === 2n ** 63n) return `2^63${suffix}`;
    if (integer - offset === INT64_MINIMUM) return `-2^63${suffix}`;
  }
  return String(integer);
}

function cell(name: string, valid: boolean, matches: (value: InputValue) => boolean): InputCell {
  return { name, valid, matches };
}

function isExactly(expected: InputValue): (value: InputValue) => boolean {
  return (value) => value === expected;
}

/** Whether a value is the same JSON, in any order of members. Only the outermost integers are surely bigint. */
function isEqualTo(expected: InputValue): (value: InputValue) => boolean {
  return (value) =>
    value === expected || (isPresent(value) && writeJson(sorted(value)) === writeJson(sorted(expected)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function isPresent(value: InputValue): boolean {
  return value !== undefined && value !== null;
}

function isOfType(value: InputValue, type: string): boolean {
  if (!isPresent(value)) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'bigint';
  if (type === 'number') return typeof value === 'bigint' || typeof value === 'number';
  return typeof value === type;
}
