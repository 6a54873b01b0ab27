import { DataSource, type MigrationInterface, type QueryRunner, Table, TableForeignKey, TableIndex } from 'typeorm';
import { ApiKeyEntity } from '../../../src/auth/api-key.entity.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { OrderEntity, ParcelEntity, StockEntity } from './shop.entities.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';

/** So few that clients meet at them. */
export const STOCKS = 8;
/** More than are ever shipped. */
export const STOCKED = 1_000_000;

/** Names that no group of the service has, whose migrations run as well. */
class CreateShop1795132800001 implements MigrationInterface {
  readonly name = 'CreateShop1795132800001';

  async up(runner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'bigint', isPrimary: true };
    const tables = [
      new Table({ name: 'shop_stocks', withoutRowid: true, columns: [id, { name: 'count', type: 'bigint' }] }),
      new Table({
        name: 'shop_orders',
        withoutRowid: true,
        columns: [
          id,
          { name: 'token', type: 'varchar' },
          { name: 'stockId', type: 'bigint' },
          { name: 'version', type: 'bigint' },
          { name: 'note', type: 'text' },
          { name: 'state', type: 'varchar' },
        ],
        indices: [
          new TableIndex({ name: 'shop_orders_by_state', columnNames: ['state', 'id'] }),
          new TableIndex({ name: 'shop_orders_by_token', columnNames: ['token'], isUnique: true }),
        ],
        foreignKeys: [
          new TableForeignKey({
            columnNames: ['stockId'],
            referencedTableName: 'shop_stocks',
            referencedColumnNames: ['id'],
          }),
        ],
      }),
      new Table({ name: 'shop_parcels', withoutRowid: true, columns: [id, { name: 'orderId', type: 'bigint' }] }),
    ];
    for (const table of tables) await runner.createTable(table);
    const rows = Array.from({ length: STOCKS }, (_, index) => `(${index + 1}, ${STOCKED})`);
    await runner.query(`INSERT INTO "shop_stocks" ("id", "count") VALUES ${rows.join()}`);
  }

  async down(): Promise<void> {}
}

export async function createShopDataSource(config: DatabaseConfig): Promise<DataSource> {
  return new DataSource({
    ...(await dataSourceOptions(config)),
    entities: [ApiKeyEntity, SequenceEntity, StockEntity, OrderEntity, ParcelEntity],
    migrations: [...(await serviceMigrations(config)), CreateShop1795132800001],
  });
}
