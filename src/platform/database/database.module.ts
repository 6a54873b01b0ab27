import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DataSourceModule } from './data-source.module.js';
import { Database } from './database.js';
import type { DatabaseConfig } from './database-config.js';
import { DatabaseHealth } from './database-health.js';
import { KeyedTable } from './keyed/keyed-table.js';
import { openTable } from './open-table.js';
import { Standbys } from './standbys/standbys.js';
import { tableToken } from './tables/keyset-table.js';

@Module({})
export class DatabaseModule {
  /** Takes an open DataSource: if the database cannot be opened, the start has failed. */
  static forRoot(dataSource: DataSource, config: DatabaseConfig): DynamicModule {
    const standbys = {
      provide: Standbys,
      useFactory: () => (config.databaseReadUrls.length > 0 ? Standbys.of(dataSource, config) : undefined),
    };
    const health = { provide: DatabaseHealth, useFactory: () => new DatabaseHealth(dataSource) };
    const database = {
      provide: Database,
      useFactory: () => new Database(dataSource, config.databaseStatementTimeout),
    };
    const providers = [standbys, health, database];
    return {
      module: DatabaseModule,
      global: true,
      imports: [DataSourceModule.of(dataSource)],
      providers,
      exports: providers,
    };
  }

  /** Provides the KeysetTable of an entity to `@InjectTable`. */
  static forFeature<Entity extends { id: bigint }>(entity: Type<Entity>): DynamicModule {
    const provider = {
      provide: tableToken(entity),
      inject: [DataSource, Database, Standbys],
      useFactory: (dataSource: DataSource, database: Database, standbys?: Standbys) =>
        new KeyedTable(openTable(dataSource, entity, standbys), entity, database.keyed),
    };
    return { module: DatabaseModule, providers: [provider], exports: [provider] };
  }
}
