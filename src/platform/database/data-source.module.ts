import { type DynamicModule, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServedDatabase } from './served/served-database.js';
import { withoutRepositories } from './without-repositories.js';

/** Provides the database, and closes it after everything that uses it: Nest shuts imported modules down last. */
@Module({})
export class DataSourceModule implements OnApplicationShutdown {
  readonly #logger = new Logger('Stop');

  static of(database: ServedDatabase): DynamicModule {
    const providers = [
      { provide: ServedDatabase, useFactory: () => database },
      { provide: DataSource, useFactory: () => withoutRepositories(database.dataSource) },
    ];
    return { module: DataSourceModule, global: true, providers, exports: providers };
  }

  constructor(private readonly database: ServedDatabase) {}

  /** The last step when a service stops. */
  async onApplicationShutdown(signal?: string): Promise<void> {
    await this.database.close();
    // A start that is refused has no signal.
    if (signal !== undefined) this.#logger.log({ signal }, 'The service has stopped, and its database is closed.');
  }
}
