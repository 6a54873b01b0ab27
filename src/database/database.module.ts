import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { openDatabase } from './open-database.js';
import { SqliteTable } from './sqlite-table.js';
import { tableToken } from './table.js';

@Module({})
export class DatabaseModule {
  static forRoot(databaseUrl: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({}),
          dataSourceFactory: () => openDatabase(databaseUrl),
        }),
      ],
    };
  }

  /** Provides the table of an entity to `@InjectTable`. */
  static forFeature<Entity extends { id: bigint }>(entity: Type<Entity>): DynamicModule {
    const provider = {
      provide: tableToken(entity),
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new SqliteTable(dataSource, entity),
    };
    return { module: DatabaseModule, providers: [provider], exports: [provider] };
  }
}
