import type { QueryStyle } from './operation-call.js';
import { type Scalar, separated, textOf } from './parameter-text.js';

type Members = { readonly [name: string]: Scalar | undefined };

export interface Parameters {
  readonly path?: { readonly [name: string]: Scalar };
  /** A list is repeated unless its style says otherwise, an undefined parameter omitted. */
  readonly query?: { readonly [name: string]: Scalar | readonly Scalar[] | Members | undefined };
}

type Styles = { readonly [name: string]: QueryStyle };

/** The path with its parameters, and the query. */
export function requestTarget(template: string, { path = {}, query = {} }: Parameters, styles: Styles = {}): string {
  const filled = template.replace(/\{([^{}]+)\}/g, (_, name: string) => pathSegment(name, path[name]));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : queryPairs(name, value, Object.hasOwn(styles, name) ? styles[name] : undefined),
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** The text between items, and what no item may contain: the service splits at it also where it is encoded. */
const SEPARATORS = {
  form: { separator: ',' },
  spaceDelimited: { separator: '%20', within: ' ' },
  pipeDelimited: { separator: '%7C', within: '|' },
};

function queryPairs(name: string, value: Scalar | readonly Scalar[] | Members, style?: QueryStyle): string[] {
  if (typeof value !== 'object') return [pair(name, textOf(value))];
  if (!isList(value)) {
    return Object.entries(value).flatMap(([member, one]) =>
      one === undefined ? [] : [pair(`${name}[${member}]`, textOf(one))],
    );
  }
  if (style === undefined || style === 'deepObject') {
    // Without an item nothing is sent, and the service uses its default.
    if (value.length === 0) throw new TypeError(`The list ${name} cannot be empty: omit it, or give it an item.`);
    return value.map((one) => pair(name, textOf(one)));
  }
  const { separator, within } = { within: undefined, ...SEPARATORS[style] };
  const items = separated(name, value, within).map((text) => encodeURIComponent(text));
  return [`${encodeURIComponent(name)}=${items.join(separator)}`];
}

/** Array.isArray does not know read-only lists. */
function isList(value: readonly Scalar[] | Members): value is readonly Scalar[] {
  return Array.isArray(value);
}

const pair = (name: string, text: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;

function pathSegment(name: string, value: Scalar | undefined): string {
  const text = textOf(value ?? '');
  // As segments of a URL, these lead to another resource.
  if (['', '.', '..'].includes(text)) throw new TypeError(`The path parameter ${name} cannot be "${text}".`);
  return encodeURIComponent(text);
}
