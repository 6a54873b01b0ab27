import { unescape } from 'node:querystring';

export type Query = Record<string, string | string[]>;

/**
 * The parameters of a request target, as Express' simple parser returns them: a repeated one as a list, but without a
 * maximum number. V8 keeps the objects of Node's parser as hash tables, which makes every access slower (`edge` in
 * docs/performance.md).
 */
export function readQuery(target: string): Query {
  const query: Query = {};
  const question = target.indexOf('?');
  if (question === -1) return query;
  for (let start = question + 1; start < target.length;) {
    const ampersand = target.indexOf('&', start);
    const end = ampersand === -1 ? target.length : ampersand;
    if (end > start) addPair(query, target.slice(start, end));
    start = end + 1;
  }
  return query;
}

/** Whether only the paths of two request targets differ, as while a middleware runs that is registered for a path. */
export function hasSameQuery(one: string, other = ''): boolean {
  return queryOf(one) === queryOf(other);
}

function queryOf(target: string): string {
  const question = target.indexOf('?');
  return question === -1 ? '' : target.slice(question + 1);
}

function addPair(query: Query, pair: string): void {
  const sign = pair.indexOf('=');
  const name = decode(sign === -1 ? pair : pair.slice(0, sign));
  const value = sign === -1 ? '' : decode(pair.slice(sign + 1));
  const before = Object.hasOwn(query, name) ? query[name] : undefined;
  if (before === undefined) query[name] = value;
  else if (typeof before === 'string') query[name] = [before, value];
  else before.push(value);
}

const ESCAPE = /%[\da-f]{2}/i;

/** Malformed percent-encoding stays as it is. `unescape` would corrupt non-ASCII text without an escape. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return ESCAPE.test(spaced) ? unescape(spaced) : spaced;
}
