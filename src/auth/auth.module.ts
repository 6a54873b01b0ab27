import { type DynamicModule, Module } from '@nestjs/common';
import { AcceptedKeys } from './accepted-keys.js';
import { ApiKeys } from './api-keys.js';

@Module({})
export class AuthModule {
  /** `configuredKeys` are accepted in addition to those in the database. */
  static forRoot(configuredKeys: readonly string[]): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        ApiKeys,
        {
          provide: AcceptedKeys,
          inject: [ApiKeys],
          useFactory: (keys: ApiKeys) => new AcceptedKeys(keys, configuredKeys),
        },
      ],
      exports: [AcceptedKeys, ApiKeys],
    };
  }
}
