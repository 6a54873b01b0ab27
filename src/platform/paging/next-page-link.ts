import { writeCursor } from './cursor.js';

/** The `Link` header of every page but the last (RFC 8288): the same query with the cursor of the next page. */
export function nextPageLink(path: string, query: object, from: bigint): string {
  const parameters = query as Record<string, string | number | undefined>;
  let text = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined && name !== 'cursor') text += `${name}=${encodeURIComponent(value)}&`;
  }
  return `<${path}?${text}cursor=${writeCursor(from)}>; rel="next"`;
}
