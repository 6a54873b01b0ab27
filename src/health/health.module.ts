import { type DynamicModule, Module } from '@nestjs/common';
import { type AdminOptions, AdminServer } from './admin-server.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({})
export class HealthModule {
  /** `admin` is absent if health is served beside the operations only, and metrics are off. */
  static forRoot(admin: AdminOptions | undefined): DynamicModule {
    const server = {
      provide: AdminServer,
      inject: [Readiness],
      useFactory: (readiness: Readiness) => admin && new AdminServer(readiness, admin),
    };
    return { module: HealthModule, controllers: [HealthController], providers: [Readiness, server] };
  }
}
