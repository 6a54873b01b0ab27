import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DataSourceModule } from './data-source.module.js';
import { Database } from './database.js';
import type { DatabaseConfig } from './database-config.js';
import { DatabaseHealth } from './database-health.js';
import { KeyedTable } from './keyed/keyed-table.js';
import { openTable } from './open-table.js';
import { LateTable } from './served/late-table.js';
import { ServedDatabase } from './served/served-database.js';
import { Standbys } from './standbys/standbys.js';
import { tableToken } from './tables/keyset-table.js';

@Module({})
export class DatabaseModule {
  static forRoot(served: ServedDatabase, config: DatabaseConfig): DynamicModule {
    const standbys = {
      provide: Standbys,
      useFactory: () => (config.databaseReadUrls.length > 0 ? Standbys.of(served, config) : undefined),
    };
    const health = { provide: DatabaseHealth, useFactory: () => new DatabaseHealth(served) };
    const database = {
      provide: Database,
      useFactory: () => new Database(served, config.databaseStatementTimeout),
    };
    const providers = [standbys, health, database];
    return {
      module: DatabaseModule,
      global: true,
      imports: [DataSourceModule.of(served)],
      providers,
      exports: providers,
    };
  }

  /** Provides the KeysetTable of an entity to `@InjectTable`. */
  static forFeature<Entity extends { id: bigint }>(entity: Type<Entity>): DynamicModule {
    const provider = {
      provide: tableToken(entity),
      inject: [ServedDatabase, Database, Standbys],
      useFactory: (served: ServedDatabase, database: Database, standbys?: Standbys) => {
        const open = () => openTable(served.dataSource, entity, standbys);
        const table = served.isOpen ? open() : new LateTable(served, open);
        return new KeyedTable(table, entity, database.keyed);
      },
    };
    return { module: DatabaseModule, providers: [provider], exports: [provider] };
  }
}
