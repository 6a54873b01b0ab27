import { writeCursor } from './cursor.js';

/** The `Link` header of every page but the last (RFC 8288): the same query with the cursor of the next page. */
export function nextPageLink(path: string, query: object, from: bigint): string {
  const parameters = query as Record<string, unknown>;
  let text = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined || name === 'cursor') continue;
    text +=
      typeof value === 'object' ? partsOf(name, value) : `${name}=${encodeURIComponent(value as string | number)}&`;
  }
  return `<${path}?${text}cursor=${writeCursor(from)}>; rel="next"`;
}

/** A time, or a list of values (style `form`, exploded). */
function partsOf(name: string, value: object | null): string {
  if (value instanceof Date) return `${name}=${encodeURIComponent(value.toISOString())}&`;
  if (!Array.isArray(value)) throw new TypeError(`The query parameter ${name} cannot be written into a link`);
  return value.map((each) => `${name}=${encodeURIComponent(String(each))}&`).join('');
}
