import { type DynamicModule, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AcceptedKeys } from './accepted-keys.js';
import { ApiKeys } from './api-keys.js';

@Module({})
export class AuthModule {
  /** `configuredKeys` are accepted in addition to those in the database. */
  static forRoot(configuredKeys: readonly string[], dataSource: DataSource): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        { provide: ApiKeys, useFactory: () => new ApiKeys(dataSource) },
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
