export type Scalar = string | number | bigint | boolean;

export interface Parameters {
  readonly path?: { readonly [name: string]: Scalar };
  /** A list is repeated, an undefined parameter omitted. */
  readonly query?: { readonly [name: string]: Scalar | readonly Scalar[] | undefined };
}

/** The path with its parameters, and the query. */
export function requestTarget(template: string, { path = {}, query = {} }: Parameters): string {
  const filled = template.replace(/\{([^{}]+)\}/g, (_, name: string) => pathSegment(name, path[name]));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(one))}`),
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Integers have digits only, however large the number is. */
export const textOf = (value: Scalar): string =>
  String(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);

function pathSegment(name: string, value: Scalar | undefined): string {
  const text = textOf(value ?? '');
  // As segments of a URL, these lead to another resource.
  if (['', '.', '..'].includes(text)) throw new TypeError(`The path parameter ${name} cannot be "${text}".`);
  return encodeURIComponent(text);
}
