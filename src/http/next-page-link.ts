import { writeCursor } from '../validation/cursor.js';

/** The `Link` header of a page that is not the last (RFC 8288): the same question, from where the next page begins. */
export function nextPageLink(path: string, question: object, from: bigint): string {
  let query = '';
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined && name !== 'cursor') query += `${name}=${encodeURIComponent(String(value))}&`;
  }
  return `<${path}?${query}cursor=${writeCursor(from)}>; rel="next"`;
}
