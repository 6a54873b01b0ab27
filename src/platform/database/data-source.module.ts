import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withoutRepositories } from './without-repositories.js';

/** Provides the open DataSource, and closes it after everything that uses it: Nest shuts imported modules down last. */
@Module({})
export class DataSourceModule implements OnApplicationShutdown {
  static of(dataSource: DataSource): DynamicModule {
    const provider = { provide: DataSource, useFactory: () => withoutRepositories(dataSource) };
    return { module: DataSourceModule, global: true, providers: [provider], exports: [provider] };
  }

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
