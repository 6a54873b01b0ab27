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
  const parameters = query as Record<string, unknown>;
  const sent: string[] = [];
  let text = '';
  const question = url.indexOf('?');
  for (const pair of question === -1 ? [] : url.slice(question + 1).split('&')) {
    const name = nameOf(pair);
    if (name === cursor || !isOf(parameters, name)) continue;
    sent.push(name);
    text += `${inUri(pair)}&`;
  }
  for (const name in parameters) {
    const value = parameters[name];
    if (name === cursor || value === undefined || typeof value === 'object' || sent.includes(name)) continue;
    text += `${encodeURIComponent(name)}=${encodeURIComponent(value as string | number)}&`;
  }
  return `<${inUri(path)}?${text}${encodeURIComponent(cursor)}=${writeCursor(from)}>; rel="next"`;
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=');
  const name = end === -1 ? pair : pair.slice(0, end);
  return ENCODED.test(name) ? unescape(name.replaceAll('+', ' ')) : name;
}

const ENCODED = /[%+]/;

/** Also for a member of an object (style `deepObject`): `filter[color]` belongs to `filter`. */
function isOf(parameters: Record<string, unknown>, name: string): boolean {
  if (Object.hasOwn(parameters, name)) return parameters[name] !== undefined;
  if (!name.endsWith(']')) return false;
  const [whole = ''] = name.split('[', 1);
  const value = Object.hasOwn(parameters, whole) ? parameters[whole] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Encodes what a client may send, but a URI cannot have (RFC 3986): `>` would end it, and `#` begin a fragment. */
function inUri(text: string): string {
  return FOREIGN.test(text) ? text.replaceAll(ALL_FOREIGN, encodeURIComponent) : text;
}

const FOREIGN = /[^\w!$%&'()*+,./:;=?@[\]~-]/;
const ALL_FOREIGN = new RegExp(`${FOREIGN.source}+`, 'g');
