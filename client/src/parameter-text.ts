export type Scalar = string | number | bigint | boolean;

/** Integers have digits only, however large the number is. */
export const textOf = (value: Scalar): string =>
  String(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);

/** The texts of the items of a list. Throws for those that the service would read otherwise. */
export function separated(name: string, values: readonly Scalar[], within?: string): string[] {
  const texts = values.map(textOf);
  const split = within === undefined ? undefined : texts.find((text) => text.includes(within));
  if (split !== undefined) throw new TypeError(`An item of ${name} cannot have "${within}": "${split}".`);
  if (texts.length === 1 && texts[0] === '') throw new TypeError(`The only item of ${name} cannot be empty.`);
  return texts;
}

/** The service splits a list at commas, and ignores white space around its items. */
export function headerText(name: string, value: Scalar | readonly Scalar[]): string {
  if (typeof value !== 'object') return textOf(value);
  const texts = separated(name, value, ',');
  const spaced = texts.find((text) => text !== text.trim());
  if (spaced !== undefined) throw new TypeError(`An item of ${name} cannot begin or end with white space.`);
  return texts.join(',');
}

/** The header Cookie; empty without any. */
export function cookieText(cookies: { readonly [name: string]: Scalar | undefined }): string {
  return Object.entries(cookies)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(textOf(value))}`]))
    .join('; ');
}
