import { HttpException, HttpStatus } from '@nestjs/common';
import type { BlockList } from 'node:net';
import type { Contract, Operation } from '../platform/contract/contract.js';
import type { EdgeRequest, EdgeResponse } from '../platform/http/request/edge-request.js';
import { StartError } from '../platform/process/start-error.js';
import { KEY_SCHEME } from './api-key.js';
import { ClientAddresses } from './client-addresses.js';
import { type RateLimit, TokenBuckets } from './token-buckets.js';

/** Addresses that have a bucket of their own at a time; the others share one. */
const MAX_ADDRESSES = 10_000;

/** The headers that report how many requests are left. */
const INFORMATION = ['ratelimit', 'ratelimit-policy'];

/**
 * Limits requests by API key, and those without a valid key by the client's address. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers-10. Each process counts for itself.
 */
export class RateLimits {
  readonly #keys: TokenBuckets;
  readonly #addresses: TokenBuckets;
  readonly #clients: ClientAddresses;
  readonly #policy: string;
  /** The ids of the operations that declare the headers for every success. */
  readonly #informing: ReadonlySet<string>;

  /** Throws a StartError for an operation that does not declare how its requests are refused. */
  constructor({ operations }: Contract, limit: RateLimit, trustedProxies: BlockList | undefined) {
    for (const operation of operations) if (operation.scheme === KEY_SCHEME) assertDeclared(operation);
    this.#keys = new TokenBuckets(limit);
    this.#addresses = new TokenBuckets(limit, MAX_ADDRESSES);
    this.#clients = new ClientAddresses(trustedProxies);
    this.#policy = `q=${limit.requests};w=${limit.window}`;
    this.#informing = new Set(operations.filter(isInforming).map(({ id }) => id));
  }

  /** Takes a token of the key. Throws an HttpException with 429 when it has none. */
  takeFromKey(hash: string, response: EdgeResponse): void {
    const { isServed, remaining, wait } = this.#keys.take(hash);
    const { operation } = response.req;
    if (!isServed || (operation && this.#informing.has(operation.id))) {
      // Errors lose them, except those that declare them.
      response.setHeader('RateLimit-Policy', `"key";${this.#policy}`);
      response.setHeader('RateLimit', `"key";r=${remaining};t=${wait}`);
    }
    if (!isServed) refuse(response, wait, 'with this API key');
  }

  /** Takes a token of the client's address. Throws an HttpException with 429 when it has none. */
  takeFromAddress(request: EdgeRequest, response: EdgeResponse): void {
    const { isServed, remaining, wait } = this.#addresses.take(this.#clients.of(request));
    if (isServed) return;
    response.setHeader('RateLimit-Policy', `"address";${this.#policy}`);
    response.setHeader('RateLimit', `"address";r=${remaining};t=${wait}`);
    refuse(response, wait, 'without a valid API key');
  }
}

function assertDeclared({ responses, position }: Operation): void {
  const declared = responses.get(HttpStatus.TOO_MANY_REQUESTS)?.headerNames;
  if (['retry-after', ...INFORMATION].every((name) => declared?.has(name))) return;
  throw new StartError(
    `${position} RATE_LIMIT requires the operation to declare 429 with Retry-After, RateLimit and RateLimit-Policy; declare it, or remove the variable.`,
  );
}

function isInforming({ responses }: Operation): boolean {
  return [...responses].every(
    ([status, { headerNames }]) => status >= 400 || INFORMATION.every((name) => headerNames.has(name)),
  );
}

function refuse(response: EdgeResponse, wait: number, whose: string): never {
  response.setHeader('Retry-After', wait);
  const message = `Too many requests ${whose}; try again after the seconds in Retry-After.`;
  throw new HttpException(message, HttpStatus.TOO_MANY_REQUESTS);
}
