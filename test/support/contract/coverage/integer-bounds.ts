import type { Schema } from '../../../contract/open-api.js';

export const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;

interface Bounds {
  readonly lowest: bigint | undefined;
  readonly highest: bigint | undefined;
}

/** The integers between which an integer must be, both included. Its rules may be fractions. */
export function integerBounds(schema: Schema): Bounds {
  const { format, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = integer(exclusiveMinimum, Math.floor);
  const below = integer(exclusiveMaximum, Math.ceil);
  const isInt64 = format === 'int64';
  return {
    lowest: strictest(
      [integer(minimum, Math.ceil), above === undefined ? above : above + 1n, isInt64 ? INT64_MINIMUM : undefined],
      (one, other) => one > other,
    ),
    highest: strictest(
      [integer(maximum, Math.floor), below === undefined ? below : below - 1n, isInt64 ? INT64_MAXIMUM : undefined],
      (one, other) => one < other,
    ),
  };
}

/** The lowest and the highest valid integer: a bound itself may break `multipleOf`. */
export function outermostMultiples(schema: Schema): (bigint | undefined)[] {
  const { lowest, highest } = integerBounds(schema);
  const { multipleOf = 1n } = schema;
  // Nothing is known of the multiples of a fraction.
  if (typeof multipleOf !== 'bigint') return [];
  return [
    lowest === undefined ? undefined : -lastMultiple(-lowest, multipleOf),
    highest === undefined ? undefined : lastMultiple(highest, multipleOf),
  ];
}

/** The highest multiple that is not above a bound. */
function lastMultiple(highest: bigint, factor: bigint): bigint {
  const rest = highest % factor;
  return highest - (rest < 0n ? rest + factor : rest);
}

/** Undefined for no bound, and for `exclusiveMinimum: false`. */
function integer(bound: unknown, round: (value: number) => number): bigint | undefined {
  if (typeof bound === 'bigint') return bound;
  return typeof bound === 'number' ? BigInt(round(bound)) : undefined;
}

/** The bound that leaves the fewest values. */
function strictest(
  bounds: readonly (bigint | undefined)[],
  isStricter: (one: bigint, other: bigint) => boolean,
): bigint | undefined {
  let found: bigint | undefined;
  for (const bound of bounds) {
    if (bound !== undefined && (found === undefined || isStricter(bound, found))) found = bound;
  }
  return found;
}
