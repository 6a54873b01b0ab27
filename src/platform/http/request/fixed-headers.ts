import type { Deprecation, Operation } from '../../contract/contract.js';

export type FixedHeaders = readonly (readonly [name: string, value: string])[];

/** Part of every response. */
export const COMMON_HEADERS: FixedHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
];

/** Part of every response of an operation. */
export function fixedHeaders({ deprecation, mediaTypes }: Operation): FixedHeaders {
  return [
    ...COMMON_HEADERS,
    ...(deprecation ? deprecationHeaders(deprecation) : []),
    ...(mediaTypes ? [['Vary', 'Accept'] as const] : []),
  ];
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and links to the successor and the documentation (RFC 8288). */
function deprecationHeaders({ deprecatedAt, sunset, successor, documentation }: Deprecation): FixedHeaders {
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
