import type { Schema } from '../../../contract/open-api.js';
import { writeJson } from '../exact-json.js';

/** A value that the tests must send for one input of an operation: a boundary, an enum value, none, … */
export interface InputCell {
  readonly name: string;
  /** Whether the contract allows it. */
  readonly valid: boolean;
  readonly matches: (value: InputValue) => boolean;
}

/** Integers are bigint; an omitted input is undefined, a repeated parameter is an array. */
export type InputValue = unknown;

const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;

/** The values that a test run must send for an input with this schema. */
export function inputCells(schema: Schema, { required, inBody }: { required: boolean; inBody: boolean }): InputCell[] {
  return [
    cell(
      schema.default === undefined ? 'omitted' : `omitted (${writeJson(schema.default)})`,
      !required,
      isExactly(undefined),
    ),
    ...(inBody ? [cell('null', schema.nullable === true, isExactly(null))] : []),
    ...valueCells(schema, inBody),
  ];
}

function valueCells(schema: Schema, inBody: boolean): InputCell[] {
  if (schema.enum) return enumCells(schema.enum);
  if (schema.type === 'integer') return integerCells(schema);
  const given = cell('given', true, (value) => value !== undefined && value !== null && isOfType(value, schema.type));
  return inBody ? [given, cell(`non-${schema.type}`, false, (value) => !isOfType(value, schema.type))] : [given];
}

function enumCells(values: readonly unknown[]): InputCell[] {
  return [
    ...values.map((value) => cell(String(value), true, isExactly(value))),
    cell('unknown', false, (value) => typeof value === 'string' && !values.includes(value)),
  ];
}

function integerCells({ format, minimum, maximum }: Schema): InputCell[] {
  const lowest = minimum === undefined ? (format === 'int64' ? INT64_MINIMUM : undefined) : BigInt(minimum);
  const highest = maximum === undefined ? (format === 'int64' ? INT64_MAXIMUM : undefined) : BigInt(maximum);
  return [
    ...(lowest === undefined ? [] : [cell(named(lowest), true, isExactly(lowest)), below(lowest)]),
    ...(highest === undefined ? [] : [cell(named(highest), true, isExactly(highest)), above(highest)]),
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

function isPresent(value: InputValue): boolean {
  return value !== undefined && value !== null;
}

function isOfType(value: InputValue, type: string | undefined): boolean {
  if (!isPresent(value)) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'bigint';
  if (type === 'number') return typeof value === 'bigint' || typeof value === 'number';
  return typeof value === type;
}
