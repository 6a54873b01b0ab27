import { RouteParamtypes } from '@nestjs/common/internal';
import { StartError } from '../../process/start-error.js';
import type { OperationRoute } from '../request/operation-route.js';
import type { HandlerParameter } from './handler-parameters.js';

const { BODY, QUERY, HEADERS, REQUEST } = RouteParamtypes;

/** Headers that clients, browsers and proxies send to any operation. */
const USUAL_HEADERS = new Set(
  `accept accept-charset accept-datetime accept-encoding accept-language access-control-request-headers
  access-control-request-method authorization b3 baggage cache-control cdn-loop client-ip connection content-digest
  content-encoding content-language content-length content-location content-md5 content-range content-type cookie date dnt
  downlink dpr early-data ect expect forwarded from host if-match if-modified-since if-none-match if-range
  if-unmodified-since keep-alive max-forwards origin pragma prefer priority proxy-authorization proxy-connection range
  referer rtt save-data signature signature-input te trailer traceparent tracestate transfer-encoding true-client-ip
  upgrade upgrade-insecure-requests user-agent via want-content-digest warning x-client-ip x-cloud-trace-context
  x-correlation-id x-csrf-token x-http-method-override x-real-ip x-request-id x-requested-with`.split(/\s+/),
);
const OF_PROXIES = /^(cf|fastly|sec|x-(amzn?|azure|b3|envoy|forwarded|goog|original))-/;

/**
 * Throws a StartError for a parameter that takes a query parameter or member of the body which no caller knows of, and for a
 * header if the handler misses one that is declared: its name is wrong. Any other header may come from a proxy.
 */
export function assertNamesDeclared(
  handler: string,
  route: OperationRoute,
  parameters: readonly HandlerParameter[],
): void {
  for (const parameter of parameters) assertNameDeclared(handler, route, parameter, parameters);
}

function assertNameDeclared(
  handler: string,
  route: OperationRoute,
  { kind, member }: HandlerParameter,
  parameters: readonly HandlerParameter[],
): void {
  if (typeof member !== 'string' || isKnown(route, kind, member)) return;
  if (kind === HEADERS && !missesHeader(route, parameters)) return;
  const what = kind === HEADERS ? 'header' : kind === QUERY ? 'query parameter' : 'member';
  throw new StartError(
    `${route.position} ${handler} takes the ${what} "${member}", which is not declared here, so that no caller knows of it; declare it here, or give it the name of one that is.`,
  );
}

function missesHeader({ headerFields, takesIdempotencyKey }: OperationRoute, parameters: readonly HandlerParameter[]) {
  const ofKind = parameters.filter(({ kind }) => kind === HEADERS);
  const taken = new Set(ofKind.map(({ member }) => String(member).toLowerCase()));
  // The platform itself reads this key.
  if (takesIdempotencyKey) taken.add('idempotency-key');
  const takesAll = ofKind.some(({ member }) => member === undefined) || parameters.some(readsAny);
  return !takesAll && [...headerFields.named.keys()].some((name) => !taken.has(name));
}

/** The kind of a custom decorator is NaN. */
function readsAny({ kind }: HandlerParameter): boolean {
  return kind === REQUEST || Number.isNaN(kind);
}

function isKnown(route: OperationRoute, kind: RouteParamtypes, member: string): boolean {
  const { headerFields, queryFields, bodyFields } = route;
  if (kind === HEADERS) {
    const name = member.toLowerCase();
    return headerFields.named.has(name) || USUAL_HEADERS.has(name) || OF_PROXIES.test(name);
  }
  // An object may be sent as several parameters.
  const hasObjects = [...queryFields.named.values()].some(({ types }) => types.includes('object'));
  if (kind === QUERY) return queryFields.named.has(member) || hasObjects;
  const { named, required, others } = bodyFields;
  // A body without declared members may have any.
  return (
    kind !== BODY || named.size === 0 || named.has(member) || required?.has(member) === true || others !== undefined
  );
}
