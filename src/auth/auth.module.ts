import { type DynamicModule, Module } from '@nestjs/common';
import type { BlockList } from 'node:net';
import type { Contract } from '../platform/contract/contract.js';
import type { Opening } from '../platform/database/served/opening.js';
import { AcceptedKeys } from './accepted-keys.js';
import { ApiKeys } from './api-keys.js';
import { RateLimits } from './rate-limits.js';
import type { RateLimit } from './token-buckets.js';

interface AuthOptions {
  /** Accepted in addition to those in the database. */
  readonly apiKeys: readonly string[];
  /** Absent for none. */
  readonly rateLimit?: RateLimit;
  /** The proxies whose `X-Forwarded-For` is trusted; absent for none. */
  readonly trustedProxies?: BlockList;
}

@Module({})
export class AuthModule {
  static forRoot(options: AuthOptions, contract: Contract, keys: ApiKeys, database: Opening): DynamicModule {
    const { apiKeys, rateLimit, trustedProxies } = options;
    return {
      module: AuthModule,
      providers: [
        { provide: ApiKeys, useValue: keys },
        { provide: AcceptedKeys, useFactory: () => new AcceptedKeys(keys, database, apiKeys) },
        {
          provide: RateLimits,
          useFactory: () => rateLimit && new RateLimits(contract, rateLimit, trustedProxies),
        },
      ],
      exports: [AcceptedKeys, ApiKeys, RateLimits],
    };
  }
}
