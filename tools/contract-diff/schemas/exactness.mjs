/** In a request, the service keeps every digit of an integer, but refuses or rounds a number that a double does not hold. */
export function compareExactness(left, right, context) {
  const becomesNumber =
    left.type?.includes('integer') && !left.type.includes('number') && right.type?.includes('number');
  if (context.direction === 'request' && becomesNumber && !isHeldByDouble(left))
    context.narrower('integers beyond 2^53 are no longer exact');
}

const LARGEST = 2 ** 53;

function isHeldByDouble({ format, enum: values, lower, upper }) {
  if (values) return values.every((value) => Math.abs(Number(value)) <= LARGEST);
  return format === 'int32' || (lower?.value >= -LARGEST && upper?.value <= LARGEST);
}
