import type { OutgoingHttpHeaders } from 'node:http';
import type { Deprecation } from '../contract/contract.js';

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and where to turn instead (RFC 8288). */
export function deprecationHeaders({
  deprecatedAt,
  sunset,
  successor,
  documentation,
}: Deprecation): OutgoingHttpHeaders {
  const links = [
    ...(successor ? [`<${successor}>; rel="successor-version"`] : []),
    ...(documentation ? [`<${documentation}>; rel="deprecation"`] : []),
  ];
  return {
    Deprecation: `@${deprecatedAt.getTime() / 1000}`,
    Sunset: sunset.toUTCString(),
    ...(links.length > 0 && { Link: links.join(', ') }),
  };
}
