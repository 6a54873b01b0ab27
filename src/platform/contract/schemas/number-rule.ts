import { INT64_MAX, INT64_MIN } from '../../values/int64.js';
import { doubleOf } from '../../values/kept-numbers.js';
import type { ContractNode } from '../source/contract-node.js';
import { isMultiple } from '../../values/multiple-of.js';
import type { Scalar } from './scalar.js';

type Exact = number | bigint;

interface Bound {
  readonly value: Exact;
  /** The value itself is outside. */
  readonly isOpen: boolean;
}

/** The largest number of single precision (IEEE 754). */
const FLOAT_MAX = (2 - 2 ** -23) * 2 ** 127;

const FORMAT_BOUNDS: Readonly<Record<string, readonly [Exact, Exact]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [INT64_MIN, INT64_MAX],
  float: [-FLOAT_MAX, FLOAT_MAX],
};

/**
 * The rule of an integer or a number. Integers are exact: a bigint is as good as a number, and an integer that a double
 * cannot hold must be a bigint. JavaScript compares the two exactly.
 */
export function numberRule(schema: ContractNode, type: 'integer' | 'number', isInteger = isExactInteger): Scalar {
  const { lower, upper } = boundsOf(schema, type);
  const step = schema.get('multipleOf')?.value as Exact | undefined;
  const isOfType = type === 'integer' ? isInteger : isNumber;
  return {
    demand: `must be ${type === 'integer' ? 'an integer' : 'a number'}${rangeText(lower, upper)}${step === undefined ? '' : ` that is a multiple of ${step}`}`,
    isValid: (value) =>
      isOfType(value) &&
      (lower === undefined || (lower.isOpen ? value > lower.value : value >= lower.value)) &&
      (upper === undefined || (upper.isOpen ? value < upper.value : value <= upper.value)) &&
      (step === undefined || isMultiple(value, step)),
  };
}

function boundsOf(
  schema: ContractNode,
  type: 'integer' | 'number',
): { readonly lower?: Bound; readonly upper?: Bound } {
  return {
    lower: boundOf(schema, type, 'minimum', 'exclusiveMinimum', 0, (a, b) => a > b),
    upper: boundOf(schema, type, 'maximum', 'exclusiveMaximum', 1, (a, b) => a < b),
  };
}

/** The range, such as ` from 5 to 1`, of a schema whose bounds exclude every number. */
export function emptyRange(schema: ContractNode, type: 'integer' | 'number'): string | undefined {
  const { lower, upper } = boundsOf(schema, type);
  if (!lower || !upper) return undefined;
  const [least, most] = type === 'integer' ? [inwards(lower, 1), inwards(upper, -1)] : [lower.value, upper.value];
  const isPoint = type === 'number' && (lower.isOpen || upper.isOpen);
  return least > most || (isPoint && least === most) ? rangeText(lower, upper) : undefined;
}

/** The outermost integer that a bound allows. */
function inwards({ value, isOpen }: Bound, direction: 1 | -1): bigint {
  if (typeof value === 'bigint') return value + BigInt(isOpen ? direction : 0);
  const next = direction > 0 ? Math.ceil(value) : Math.floor(value);
  return BigInt(next) + BigInt(isOpen && next === value ? direction : 0);
}

function isExactInteger(value: unknown): value is Exact {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function isNumber(value: unknown): value is Exact {
  return typeof value === 'bigint' || Number.isFinite(value);
}

/** The tightest of the bounds; `index` is that of the format's bound. */
function boundOf(
  schema: ContractNode,
  type: 'integer' | 'number',
  inclusive: string,
  exclusive: string,
  index: 0 | 1,
  isTighter: (a: Exact, b: Exact) => boolean,
): Bound | undefined {
  const flagOrBound = schema.get(exclusive)?.value;
  // For a number, 10^23 is the double 1e23, which is a little less.
  const exact = (bound: unknown) =>
    ((type === 'number' && typeof bound === 'bigint' ? doubleOf(bound) : undefined) ?? bound) as Exact;
  const closed = schema.get(inclusive)?.value as Exact | undefined;
  const ofFormat = FORMAT_BOUNDS[schema.get('format')?.text() ?? '']?.[index];
  const bounds: Bound[] = [
    ...(ofFormat === undefined ? [] : [{ value: ofFormat, isOpen: false }]),
    ...(closed === undefined ? [] : [{ value: exact(closed), isOpen: flagOrBound === true }]),
    ...(typeof flagOrBound === 'boolean' || flagOrBound === undefined
      ? []
      : [{ value: exact(flagOrBound), isOpen: true }]),
  ];
  return bounds.reduce<Bound | undefined>((tightest, bound) => {
    if (!tightest || isTighter(bound.value, tightest.value)) return bound;
    return bound.value === tightest.value && bound.isOpen ? bound : tightest;
  }, undefined);
}

function rangeText(lower: Bound | undefined, upper: Bound | undefined): string {
  const from = lower && `${lower.isOpen ? 'above' : 'from'} ${lower.value}`;
  if (lower && upper && !lower.isOpen && !upper.isOpen) return ` ${from} to ${upper.value}`;
  const to = upper && `${upper.isOpen ? 'below' : 'up to'} ${upper.value}`;
  const range = [from, to].filter((part) => part !== undefined);
  return range.length > 0 ? ` ${range.join(' and ')}` : '';
}
