import { writeCursor } from './cursor.js';

/** The `Link` header of a page that is not the last (RFC 8288): the same question, from where the next page begins. */
export function nextPageLink(path: string, question: object, from: bigint): string {
  const parameters = question as Record<string, string | number | undefined>;
  let query = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined && name !== 'cursor') query += `${name}=${encodeURIComponent(value)}&`;
  }
  return `<${path}?${query}cursor=${writeCursor(from)}>; rel="next"`;
}
