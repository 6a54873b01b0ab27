import { writeJson } from '../../values/exact-json.js';
import { compileCheck } from '../schemas/compile-check.js';
import { numberRule } from '../schemas/number-rule.js';
import type { ContractNode } from '../source/contract-node.js';
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

export function integerWriter(schema: ContractNode): Writer {
  const { isValid } = numberRule(schema, 'integer');
  return isUnbounded(schema, isValid) ? exactWriter(isValid) : checkedWriter('integer', isValid, writeInteger);
}

/** A number is a double: 10^23 as a bigint is within a maximum of 1e23, which is a little less. */
export function numberWriter(schema: ContractNode): Writer {
  return checkedWriter('number', compileCheck(schema, 'response').isValid, writeNumber);
}

function checkedWriter(type: string, isValid: (value: unknown) => boolean, write: Writer): Writer {
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
export function valuesWriter(schema: ContractNode): Writer {
  const only = schema.get('const');
  const values = only ? [only] : schema.need('enum').children();
  // Numbers are equal if their doubles are. Beyond 2^53, an integer is always a bigint.
  const { complete: keyOf = integerKey } = compileCheck(schema, 'response');
  const texts = new Map(values.map(({ value }) => [keyOf(value), writeJson(value)]));
  return (value) => {
    const text = texts.get(keyOf(value));
    if (text === undefined) throw notA('enumeration value', value);
    return text;
  };
}

function integerKey(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
