import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { countOf } from '../platform/http/request/count-header.js';
import type { EdgeRequest, EdgeResponse } from '../platform/http/request/edge-request.js';
import { SchemeGuard } from '../platform/http/scheme.guard.js';
import { AcceptedKeys } from './accepted-keys.js';
import { hashApiKey, KEY_SCHEME } from './api-key.js';
import { RateLimits } from './rate-limits.js';

const CHALLENGE = 'Bearer realm="pets"';
/** RFC 6750, section 3. */
const INVALID = `${CHALLENGE}, error="invalid_token"`;
const INSUFFICIENT = `${CHALLENGE}, error="insufficient_scope", scope="write"`;
/** RFC 6750, section 2.1, with the scheme's name in any case (RFC 9110, section 11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Requires a key for every operation, unless the contract declares it public. */
@Injectable()
export class BearerGuard extends SchemeGuard {
  protected readonly scheme = KEY_SCHEME;
  protected override readonly challenges = { 401: [CHALLENGE, INVALID], 403: [INSUFFICIENT] };

  constructor(
    private readonly keys: AcceptedKeys,
    /** Absent when requests are not limited. */
    private readonly limits?: RateLimits,
  ) {
    super();
  }

  protected authenticate(request: EdgeRequest): true {
    const token = tokenOf(request);
    const key = token ? this.keys.find(token) : undefined;
    if (!key || countOf(request, 'authorization') !== 1) {
      this.limits?.takeFromAddress(request, request.res as EdgeResponse);
      return refuse(request);
    }
    request.keyName = key.name;
    this.limits?.takeFromKey(key.hash, request.res as EdgeResponse);
    if (!key.mayWrite && !isReading(request)) return forbid(request.res as EdgeResponse);
    if (request.keyed) request.keyed.scope = hashApiKey(token!); // A key was found, so there is a token.
    return true;
  }

  /** The key may have been revoked or have expired meanwhile. Takes no second token of the rate limit. */
  override reauthenticate(request: EdgeRequest): void {
    if (this.keys.find(tokenOf(request)!)) return; // Only a request with a token was accepted.
    // The log and the metrics name valid keys only.
    request.keyName = undefined;
    refuse(request);
  }
}

function tokenOf({ headers }: EdgeRequest): string | undefined {
  return headers.authorization === undefined ? undefined : CREDENTIALS.exec(headers.authorization)?.[1];
}

function isReading({ method }: EdgeRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** RFC 6750, section 3: `invalid_token` only when a bearer token was sent. */
function refuse({ headers: { authorization }, res }: EdgeRequest): never {
  const hasToken = authorization !== undefined && /^bearer +\S/i.test(authorization);
  (res as EdgeResponse).setHeader('WWW-Authenticate', hasToken ? INVALID : CHALLENGE);
  throw new UnauthorizedException(
    hasToken ? 'The API key is not valid.' : 'The API key is missing; send it as "Authorization: Bearer <API_KEY>".',
  );
}

function forbid(response: EdgeResponse): never {
  response.setHeader('WWW-Authenticate', INSUFFICIENT);
  throw new ForbiddenException('The API key may only read; use one of the scope "write".');
}
