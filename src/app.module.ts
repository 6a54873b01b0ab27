import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, RouterModule } from '@nestjs/core';
import { ApiKeys } from './auth/api-keys.js';
import { AuthModule } from './auth/auth.module.js';
import { BearerGuard } from './auth/bearer.guard.js';
import type { Config } from './config.js';
import { DocsModule } from './docs/docs.module.js';
import type { AdminOptions } from './health/admin-server.js';
import { HealthModule } from './health/health.module.js';
import { PetsModule } from './pets/pets.module.js';
import type { Contract } from './platform/contract/contract.js';
import { CONTRACT } from './platform/contract/contract.token.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { Pruning } from './platform/database/keyed/pruning.js';
import type { ServedDatabase } from './platform/database/served/served-database.js';
import { OutageLog } from './platform/errors/outage-log.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import type { StoredRequests } from './platform/idempotency/stored-response.js';
import { RequestGuard } from './platform/http/request.guard.js';
import { UnmetPathRule } from './platform/http/request/path-violations.js';
import { DtoPipe } from './platform/validation/dto.pipe.js';

/** The modules that implement the contract's operations. */
export const FEATURES: readonly Type<object>[] = [PetsModule];

interface AppOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly database: ServedDatabase;
  /** Stores the requests with an Idempotency-Key; absent when no operation takes one. */
  readonly requests: StoredRequests | undefined;
  /** That of the adapter as well: an outage has one start and one end, whatever refuses its requests. */
  readonly outages: OutageLog;
  readonly features: readonly Type<object>[];
  /** Absent without an admin port. */
  readonly admin?: AdminOptions;
}

/** The composition root. Global guards, pipe and filter are registered here, in the order in which they run. */
@Module({})
export class AppModule {
  static forRoot({ config, contract, database, requests, outages, features, admin }: AppOptions): DynamicModule {
    const contractProvider = { provide: CONTRACT, useValue: contract };
    return {
      module: AppModule,
      global: true,
      imports: [
        DatabaseModule.forRoot(database, config),
        AuthModule.forRoot(config, contract, new ApiKeys(database.dataSource), database),
        HealthModule.forRoot(admin),
        DocsModule,
        ...features,
        RouterModule.register(features.map((module) => ({ path: contract.basePath, module }))),
      ],
      providers: [
        contractProvider,
        ...(requests ? [{ provide: Pruning, useFactory: () => new Pruning(requests) }] : []),
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useFactory: () => new RequestGuard(config.bodyLimit) },
        { provide: DtoPipe, useFactory: () => new DtoPipe((error) => new UnmetPathRule(error.getResponse())) },
        { provide: APP_PIPE, useExisting: DtoPipe },
        { provide: OutageLog, useValue: outages },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
      exports: [contractProvider],
    };
  }
}
