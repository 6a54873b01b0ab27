import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Deprecation, Operation } from '../../contract/contract.js';

type Pairs = readonly (readonly [name: string, value: string])[];

/** Seconds. A restart, a lock on the database or a request in progress usually ends within that time. */
export const RETRY_AFTER = 1;

/** Headers that are known before any request. */
export class FixedHeaders {
  /** Their lines in the head of a response. */
  readonly lines: string;
  #ofJson?: FixedHeaders;

  /** Throws for an invalid header, because Node does not check `lines`. */
  constructor(readonly pairs: Pairs) {
    for (const [name, value] of pairs) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    this.lines = pairs.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  /** The same with the type of a JSON body. */
  get ofJson(): FixedHeaders {
    return (this.#ofJson ??= new FixedHeaders([...this.pairs, ['Content-Type', 'application/json']]));
  }

  get(name: string): string | undefined {
    for (const pair of this.pairs) if (isSameName(pair[0], name)) return pair[1];
    return undefined;
  }
}

export function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}

/** The fixed headers that a response may repeat. */
export const LISTS: ReadonlySet<string> = new Set(['Link', 'Vary']);

const itemsOf = (list: string) => list.split(',').map((item) => item.trim());

/** Whether a header already has each item of a fixed one. */
export function hasItems(given: number | string | readonly string[], fixed: string): boolean {
  const items = new Set(itemsOf([given].flat().join(',')));
  return itemsOf(fixed).every((item) => items.has(item));
}

/** Part of every response. */
export const COMMON_HEADERS = new FixedHeaders([
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
]);

/** Part of every response of an operation. */
export function fixedHeaders({ deprecation, mediaTypes }: Operation): FixedHeaders {
  return new FixedHeaders([
    ...COMMON_HEADERS.pairs,
    ...(deprecation ? deprecationHeaders(deprecation) : []),
    ...(mediaTypes ? [['Vary', 'Accept'] as const] : []),
  ]);
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and links to the successor and the documentation (RFC 8288). */
function deprecationHeaders({ deprecatedAt, sunset, successor, documentation }: Deprecation): Pairs {
  const links = [
    ...(successor ? [`<${successor}>; rel="successor-version"`] : []),
    ...(documentation ? [`<${documentation}>; rel="deprecation"`] : []),
  ];
  return [
    ['Deprecation', `@${deprecatedAt.getTime() / 1000}`],
    ['Sunset', sunset.toUTCString()],
    ...(links.length > 0 ? [['Link', links.join(', ')] as const] : []),
  ];
}
