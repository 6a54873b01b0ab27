import { compileCheck } from '../schemas/compile-check.js';
import { numberRule } from '../schemas/number-rule.js';
import type { ContractNode } from '../source/contract-node.js';
import { listedDoubleOf } from '../../values/kept-numbers.js';
import { notA, writeInteger, writeNumber, writeString } from './json-writers.js';

type Writer = (value: unknown) => string;

const TEXT_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format'];

export function textWriter(schema: ContractNode): Writer {
  if (!TEXT_KEYWORDS.some((keyword) => schema.get(keyword))) return writeString;
  const { isValid } = compileCheck(schema, 'response');
  return (value) => {
    if (!isValid(value)) throw notA('matching string', value);
    return writeString(value);
  };
}

export function numberWriter(schema: ContractNode, type: 'integer' | 'number'): Writer {
  const { isValid } = numberRule(schema, type);
  if (type === 'integer' && isUnbounded(schema, isValid)) return exactWriter(isValid);
  const write = type === 'integer' ? writeInteger : writeNumber;
  return (value) => {
    if (!isValid(value)) throw notA(`${type} in range`, value);
    return write(value);
  };
}

/** Whether every integer that a double holds exactly is valid, as for int64. */
function isUnbounded(schema: ContractNode, isValid: (value: unknown) => boolean): boolean {
  return !schema.get('multipleOf') && isValid(Number.MIN_SAFE_INTEGER) && isValid(Number.MAX_SAFE_INTEGER);
}

/** Checks the range only where it can be exceeded: comparing bigints would cost more than writing them. */
function exactWriter(isValid: (value: unknown) => boolean): Writer {
  return (value) => {
    if (typeof value === 'bigint') {
      // V8 writes a number faster than a bigint.
      const number = Number(value);
      if (Number.isSafeInteger(number)) return `${number}`;
      if (isValid(value)) return `${value}`;
      throw notA('integer in range', value);
    }
    return writeInteger(value);
  };
}

/** `enum`, or `const` as a list of one. */
export function valuesWriter(schema: ContractNode, type: string): Writer {
  const only = schema.get('const');
  const values = only ? [only] : schema.need('enum').children();
  // A bigint equals the number that is written as it is; beyond 2^53, an integer is always a bigint.
  const keyOf = (value: unknown) => {
    const double = typeof value === 'bigint' ? listedDoubleOf(value) : undefined;
    return double !== undefined && (type === 'number' || Number.isSafeInteger(double)) ? double : value;
  };
  const texts = new Map(
    values.map(({ value }) => [keyOf(value), typeof value === 'bigint' ? `${value}` : JSON.stringify(value)]),
  );
  return (value) => {
    const text = texts.get(keyOf(value));
    if (text === undefined) throw notA('enumeration value', value);
    return text;
  };
}
