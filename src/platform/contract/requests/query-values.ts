import { unescape } from 'node:querystring';
import type { Parameter } from './parameter.js';
import type { RequestValues } from './request-values.js';

interface QueryReader {
  /** Undefined when the parameter was not sent. A repeated scalar is a list, which no scalar's schema accepts. */
  readonly find: (request: RequestValues) => unknown;
  readonly store: (request: RequestValues, value: unknown) => void;
  /** Whether a list with all items in one text was sent several times: the schema would accept the texts as items. */
  readonly isRepeated?: (request: RequestValues) => boolean;
}

export function queryReader(parameter: Parameter): QueryReader {
  const { name, type, explode } = parameter;
  if (type === 'object') return deepObjectReader(parameter);
  const store: QueryReader['store'] = ({ query }, value) => {
    query[name] = value;
  };
  if (type !== 'array') return { find: scalarFinder(parameter), store };
  if (explode) return { find: repeatedFinder(parameter), store };
  return { find: delimitedFinder(parameter), store, isRepeated: ({ query }) => Array.isArray(own(query, name)) };
}

function scalarFinder({ name, read }: Parameter): QueryReader['find'] {
  return ({ query }) => {
    const text = own(query, name);
    return typeof text === 'string' ? read(text) : text;
  };
}

/** `?tag=a&tag=b` */
function repeatedFinder({ name, read }: Parameter): QueryReader['find'] {
  return ({ query }) => {
    const texts = own(query, name);
    if (texts === undefined) return undefined;
    return (Array.isArray(texts) ? (texts as string[]) : [texts as string]).map(read);
  };
}

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};

/** `?tag=a,b`. Splits the text before it is decoded: an encoded comma belongs to an item. */
function delimitedFinder({ name, style, read }: Parameter): QueryReader['find'] {
  const delimiter = DELIMITERS[style]!; // the styles of arrays
  return ({ query, url }) => {
    const text = own(query, name);
    if (text === undefined) return undefined;
    const raw = rawValue(url, name);
    return raw === '' ? [] : raw.split(delimiter).map((item) => read(decoded(item)));
  };
}

function rawValue(url: string, name: string): string {
  const pairs = url.slice(url.indexOf('?') + 1).split('&');
  const pair = pairs.find((one) => decoded(one.split('=', 1)[0] ?? '') === name) ?? '';
  return pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : '';
}

/** As the rest of the query is decoded: bytes that are not UTF-8 become U+FFFD. */
function decoded(text: string): string {
  return unescape(text.replaceAll('+', ' '));
}

/** `?filter[color]=red&filter[size]=1` */
function deepObjectReader({ name, members }: Parameter): QueryReader {
  const prefix = `${name}[`;
  const keysOf = (query: object): string[] =>
    Object.keys(query).filter((key) => key.startsWith(prefix) && key.endsWith(']'));
  return {
    find: ({ query }) => {
      const keys = keysOf(query);
      const plain = own(query, name);
      if (keys.length === 0 || plain !== undefined) return plain;
      return Object.fromEntries(
        keys.map((key) => {
          const member = key.slice(prefix.length, -1);
          const text = query[key];
          return [member, typeof text === 'string' ? (members.get(member) ?? String)(text) : text];
        }),
      );
    },
    store: ({ query }, value) => {
      for (const key of keysOf(query)) delete query[key];
      query[name] = value;
    },
  };
}

/** Ignores a value that every object inherits: it was not sent. */
function own(query: Record<string, unknown>, name: string): unknown {
  const value = query[name];
  return value === undefined || Object.hasOwn(query, name) ? value : undefined;
}
