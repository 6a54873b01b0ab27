import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { openTable } from './open-table.js';
import { tableToken } from './table.js';

@Module({})
export class DatabaseModule {
  /** The DataSource is open already: a database that cannot be opened is a reason not to start, not to try again. */
  static forRoot(dataSource: DataSource): DynamicModule {
    const root = TypeOrmModule.forRootAsync({
      useFactory: () => ({}),
      dataSourceFactory: () => Promise.resolve(dataSource),
    });
    return { module: DatabaseModule, imports: [root] };
  }

  /** Provides the table of an entity to `@InjectTable`. */
  static forFeature<Entity extends { id: bigint }>(entity: Type<Entity>): DynamicModule {
    const provider = {
      provide: tableToken(entity),
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => openTable(dataSource, entity),
    };
    return { module: DatabaseModule, providers: [provider], exports: [provider] };
  }
}
