import { type DynamicModule, Module } from '@nestjs/common';
import type { RequestIds } from '../platform/http/outcomes/request-id.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { AdminServer } from './admin-server.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly requestIds: RequestIds;
}

@Module({})
export class HealthModule {
  /** `admin` is absent if health is served beside the operations only, and metrics are off. */
  static forRoot(admin: AdminOptions | undefined): DynamicModule {
    const server = {
      provide: AdminServer,
      inject: [Readiness],
      useFactory: (readiness: Readiness) => admin && new AdminServer(readiness, admin.metrics, admin.requestIds, admin),
    };
    return { module: HealthModule, controllers: [HealthController], providers: [Readiness, server] };
  }
}
