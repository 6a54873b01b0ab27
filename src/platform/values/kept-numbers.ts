/** The digits of the longest among the shortest texts of doubles. */
const MAX_SHORTEST = 17;

/** Whether the shortest text of a double is the decimal `significant * 10^scale` again. */
export function isKept(number: number, significant: string, scale: number): boolean {
  if (significant.length > MAX_SHORTEST) return false;
  const [mantissa = '', exponent] = Math.abs(number).toExponential().split('e');
  return mantissa.replace('.', '') === significant && Number(exponent) === scale + significant.length - 1;
}

/**
 * The double that comes back as this integer when it is written. 1e23 is one, although no double is 10^23 exactly; 2^60 is
 * none, because JSON.stringify writes that double as 1152921504606847000.
 */
export function doubleOf(integer: bigint): number | undefined {
  const digits = String(integer < 0n ? -integer : integer);
  // Only the first digits can be significant, so that this takes no time for many zeros.
  const significant = digits.slice(0, MAX_SHORTEST).replace(/(?<=.)0+$/, '');
  const isShort = /^0*$/.test(digits.slice(MAX_SHORTEST));
  const number = Number(integer);
  return isShort && isKept(number, significant, digits.length - significant.length) ? number : undefined;
}

/** An enumeration is written as it is listed, so that 2^60 comes back there, too. */
export function listedDoubleOf(integer: bigint): number | undefined {
  const number = Number(integer);
  const isExact = Number.isFinite(number) && BigInt(number) === integer;
  return isExact ? number : doubleOf(integer);
}
