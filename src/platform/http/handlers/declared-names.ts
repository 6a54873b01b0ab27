import { RouteParamtypes } from '@nestjs/common/internal';
import type { DeclaredFields } from '../../contract/requests/declared-fields.js';
import { RESERVED_HEADERS } from '../../contract/requests/parameter.js';
import { StartError } from '../../process/start-error.js';
import type { OperationRoute } from '../request/operation-route.js';
import type { HandlerParameter } from './handler-parameters.js';
import { areSimilar } from '../../contract/source/similar-names.js';

const { BODY, QUERY, HEADERS, COOKIES, SIGNED_COOKIES, REQUEST } = RouteParamtypes;

/** A part of the request whose values a handler takes by name. */
interface Part {
  readonly kinds: readonly RouteParamtypes[];
  readonly what: string;
  readonly declared: DeclaredFields;
  /** Whether what stands between caller and service may add to it. */
  readonly isOfGateways: boolean;
  readonly isKnown: (name: string) => boolean;
}

/**
 * Throws a StartError for a parameter that takes what no caller knows of. A gateway may add any header and cookie, and
 * interceptors and guards may add to the query and the body (`mayGainMembers`): there, only a name that looks like a
 * misspelling of a declared one is refused, if the handler does not take that.
 */
export function assertNamesDeclared(
  handler: string,
  route: OperationRoute,
  parameters: readonly HandlerParameter[],
  mayGainMembers: boolean,
): void {
  const parts = partsOf(route);
  for (const { kind, member } of parameters) {
    const part = parts.find(({ kinds }) => kinds.includes(kind));
    if (typeof member !== 'string' || !part || part.isKnown(member)) continue;
    if (!part.isOfGateways && !mayGainMembers) {
      throw new StartError(
        `${route.position} ${handler} takes the ${part.what} "${member}", which is not declared here, so that no caller knows of it; declare it here, or give it the name of one that is.`,
      );
    }
    const meant = missedOf(part, route, parameters).find((name) => areSimilar(name, member));
    if (meant === undefined) continue;
    throw new StartError(
      `${route.position} ${handler} takes the ${part.what} "${member}", which is not declared here, but not "${meant}", which is; give it that name, or take both.`,
    );
  }
}

function partsOf({ headerFields, cookieFields, queryFields, bodyFields }: OperationRoute): Part[] {
  // An object may be sent as several parameters.
  const hasObjects = [...queryFields.named.values()].some(({ types }) => types.includes('object'));
  const { named, required, others } = bodyFields;
  // A body without declared members may have any.
  const isOpen = named.size === 0 || others !== undefined;
  return [
    {
      kinds: [HEADERS],
      what: 'header',
      declared: headerFields,
      isOfGateways: true,
      // No contract can declare the reserved ones.
      isKnown: (name) => headerFields.named.has(name.toLowerCase()) || RESERVED_HEADERS.has(name.toLowerCase()),
    },
    {
      kinds: [COOKIES, SIGNED_COOKIES],
      what: 'cookie',
      declared: cookieFields,
      isOfGateways: true,
      isKnown: (name) => cookieFields.named.has(name),
    },
    {
      kinds: [QUERY],
      what: 'query parameter',
      declared: queryFields,
      isOfGateways: false,
      isKnown: (name) => queryFields.named.has(name) || hasObjects,
    },
    {
      kinds: [BODY],
      what: 'member',
      declared: bodyFields,
      isOfGateways: false,
      isKnown: (name) => isOpen || named.has(name) || required?.has(name) === true,
    },
  ];
}

/** The declared names that the handler does not take. */
function missedOf(
  part: Part,
  { takesIdempotencyKey }: OperationRoute,
  parameters: readonly HandlerParameter[],
): string[] {
  // In the query and the body, only an interceptor or a guard excuses an undeclared name, and not whatever reads all.
  if (part.isOfGateways && parameters.some((parameter) => takesAll(part, parameter))) return [];
  const isHeader = part.kinds.includes(HEADERS);
  const named = parameters.filter(({ kind }) => part.kinds.includes(kind)).map(({ member }) => String(member));
  const taken = new Set(isHeader ? named.map((name) => name.toLowerCase()) : named);
  // The platform itself reads this key.
  if (isHeader && takesIdempotencyKey) taken.add('idempotency-key');
  return [...part.declared.named.keys()].filter((name) => !taken.has(name));
}

/** The kind of a custom decorator, which may take anything, is NaN. */
function takesAll({ kinds }: Part, { kind, member }: HandlerParameter): boolean {
  if (kind === REQUEST || Number.isNaN(kind)) return true;
  const isCookieHeader = kinds.includes(COOKIES) && kind === HEADERS && String(member).toLowerCase() === 'cookie';
  return isCookieHeader || (member === undefined && (kinds.includes(kind) || kind === HEADERS));
}
