import { unescape } from 'node:querystring';
import { writeCursor } from './cursor.js';

/** The target of a request, as Express has it. */
interface Target {
  readonly path: string;
  readonly url: string;
}

/**
 * The `Link` header of every page but the last (RFC 8288): the same query with the cursor of the next page. `query` has the
 * declared parameters: others are not repeated. Those of the request stay as they were sent, because their values do not
 * show how they were written. Scalars that were not sent, such as a default, are added; anything else is left to its default.
 */
export function nextPageLink({ path, url }: Target, query: object, from: bigint, cursor = 'cursor'): string {
  const parameters = { ...query, [cursor]: undefined } as Record<string, unknown>;
  const sent = sentPairs(url).filter(({ name }) => isOf(parameters, name));
  const names = new Set(sent.map(({ name }) => name));
  const added = Object.entries(parameters).filter(([name, value]) => isScalar(value) && !names.has(name));
  const pairs = [
    ...sent.map(({ text }) => inUri(text)),
    ...added.map(([name, value]) => pairOf(name, String(value))),
    pairOf(cursor, writeCursor(from)),
  ];
  return `<${inUri(path)}?${pairs.join('&')}>; rel="next"`;
}

interface Pair {
  readonly name: string;
  /** As it was sent. */
  readonly text: string;
}

function sentPairs(url: string): Pair[] {
  const question = url.indexOf('?');
  const texts = question === -1 ? [] : url.slice(question + 1).split('&');
  return texts.map((text) => ({ name: unescape(text.split('=', 1)[0]!.replaceAll('+', ' ')), text }));
}

/** Also for a member of an object (style `deepObject`): `filter[color]` belongs to `filter`. */
function isOf(parameters: Record<string, unknown>, name: string): boolean {
  if (Object.hasOwn(parameters, name)) return parameters[name] !== undefined;
  const [whole] = name.split('[', 1);
  const value = name.endsWith(']') && Object.hasOwn(parameters, whole!) ? parameters[whole!] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isScalar(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}

function pairOf(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** Encodes what a client may send, but a URI cannot have (RFC 3986): `>` would end it, and `#` begin a fragment. */
function inUri(text: string): string {
  return text.replaceAll(/[^\w!$%&'()*+,./:;=?@[\]~-]+/g, encodeURIComponent);
}
