/** Exact for decimals: 0.3 is a multiple of 0.1, although their doubles are not. */
export function isMultiple(value: number | bigint, step: number | bigint): boolean {
  const [a, b] = [decimal(value), decimal(step)];
  const scale = Math.max(a.scale, b.scale);
  return (a.digits * 10n ** BigInt(scale - a.scale)) % (b.digits * 10n ** BigInt(scale - b.scale)) === 0n;
}

/** The number is `digits / 10^scale`. */
function decimal(value: number | bigint): { digits: bigint; scale: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(integer + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}
