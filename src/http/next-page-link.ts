import { writeCursor } from '../validation/cursor.js';

/** The `Link` header of a page that is not the last (RFC 8288): the same question, from where the next page begins. */
export function nextPageLink(path: string, question: object, from: bigint): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined && name !== 'cursor') query.set(name, String(value));
  }
  query.set('cursor', writeCursor(from));
  return `<${path}?${query.toString()}>; rel="next"`;
}
