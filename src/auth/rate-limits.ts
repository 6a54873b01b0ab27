import { HttpException, HttpStatus } from '@nestjs/common';
import type { BlockList } from 'node:net';
import type { Contract } from '../platform/contract/contract.js';
import type { EdgeRequest, EdgeResponse } from '../platform/http/request/edge-request.js';
import { KEY_SCHEME } from './api-key.js';
import { ClientAddresses } from './client-addresses.js';
import { assertDeclared, isInforming, LEVEL, levelOf, POLICY, policyOf } from './rate-limit-headers.js';
import { type RateLimit, TokenBuckets } from './token-buckets.js';

/** Addresses that have a bucket of their own at a time; the others share one. */
const MAX_ADDRESSES = 10_000;

/** Limits requests by API key, and those without a valid key by the client's address. Each process counts for itself. */
export class RateLimits {
  readonly #keys: TokenBuckets;
  readonly #addresses: TokenBuckets;
  readonly #clients: ClientAddresses;
  readonly #policies: Readonly<Record<'key' | 'address', string>>;
  /** The ids of the operations that declare the headers for every success. */
  readonly #informing: ReadonlySet<string>;

  /** Throws a StartError for an operation that does not declare how its requests are refused, or declares it in another way. */
  constructor({ operations }: Contract, limit: RateLimit, trustedProxies: BlockList | undefined) {
    for (const operation of operations) if (operation.scheme === KEY_SCHEME) assertDeclared(operation, limit);
    this.#keys = new TokenBuckets(limit);
    this.#addresses = new TokenBuckets(limit, MAX_ADDRESSES);
    this.#clients = new ClientAddresses(trustedProxies);
    this.#policies = { key: policyOf('key', limit), address: policyOf('address', limit) };
    this.#informing = new Set(operations.filter(isInforming).map(({ id }) => id));
  }

  /** Takes a token of the key. Throws an HttpException with 429 when it has none. */
  takeFromKey(hash: string, response: EdgeResponse): void {
    const { isServed, remaining, wait } = this.#keys.take(hash);
    const { operation } = response.req;
    if (!isServed || (operation && this.#informing.has(operation.id))) {
      // Errors lose them, except those that declare them.
      response.setHeader(POLICY, this.#policies.key);
      response.setHeader(LEVEL, levelOf('key', remaining, wait));
    }
    if (!isServed) refuse(response, wait, 'with this API key');
  }

  /** Takes a token of the client's address. Throws an HttpException with 429 when it has none. */
  takeFromAddress(request: EdgeRequest, response: EdgeResponse): void {
    const { isServed, remaining, wait } = this.#addresses.take(this.#clients.of(request));
    if (isServed) return;
    response.setHeader(POLICY, this.#policies.address);
    response.setHeader(LEVEL, levelOf('address', remaining, wait));
    refuse(response, wait, 'without a valid API key');
  }
}

function refuse(response: EdgeResponse, wait: number, whose: string): never {
  response.setHeader('Retry-After', wait);
  const message = `Too many requests ${whose}; try again after the seconds in Retry-After.`;
  throw new HttpException(message, HttpStatus.TOO_MANY_REQUESTS);
}
