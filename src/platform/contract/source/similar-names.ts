/** Shorter names that differ by a letter are often both meant: `date` and `rate`. */
const LEAST_LETTERS = 5;

/**
 * Whether one name looks like a misspelling of the other: they are the same without case, `-`, `_` and a leading `x-`, or one
 * letter is added, missing, different or swapped with the next. Digits tell names apart.
 */
export function areSimilar(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  return a === b || (Math.max(a.length, b.length) >= LEAST_LETTERS && isOneLetterApart(a, b));
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x[-_]/, '')
    .replaceAll(/[-_]/g, '');
}

function isOneLetterApart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  const areBoth = (pattern: RegExp) => pattern.test(left) && pattern.test(right);
  return areBoth(/^[a-z]?$/) || (areBoth(/^[a-z]{2}$/) && left[0] === right[1] && left[1] === right[0]);
}
