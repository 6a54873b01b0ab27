import { type DynamicModule, Module } from '@nestjs/common';
import type { ServedDatabase } from '../platform/database/served/served-database.js';
import { AcceptedKeys } from './accepted-keys.js';
import { ApiKeys } from './api-keys.js';

@Module({})
export class AuthModule {
  /** `configuredKeys` are accepted in addition to those in the database. */
  static forRoot(configuredKeys: readonly string[], database: ServedDatabase): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        { provide: ApiKeys, useFactory: () => new ApiKeys(database.dataSource) },
        {
          provide: AcceptedKeys,
          inject: [ApiKeys],
          useFactory: (keys: ApiKeys) => new AcceptedKeys(keys, database, configuredKeys),
        },
      ],
      exports: [AcceptedKeys, ApiKeys],
    };
  }
}
