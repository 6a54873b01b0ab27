import { type MigrationInterface, type QueryRunner, Table, TableForeignKey, TableIndex } from 'typeorm';

export class CreateOrders1795392000000 implements MigrationInterface {
  readonly name = 'CreateOrders1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    await runner.createTable(
      new Table({
        name: 'orders',
        withoutRowid: true,
        columns: [
          { name: 'id', type: 'bigint', isPrimary: true },
          { name: 'petId', type: 'bigint' },
          { name: 'customer', type: 'text' },
          { name: 'extras', type: 'text' },
          { name: 'price', type: 'numeric', precision: 10, scale: 2 },
          { name: 'deliverBy', type: isPostgres ? 'timestamp' : 'datetime', precision: 3 },
          { name: 'status', type: 'varchar' },
        ],
        indices: [
          new TableIndex({ name: 'orders_by_status', columnNames: ['status', 'id'] }),
          new TableIndex({ name: 'orders_by_deliver_by', columnNames: ['deliverBy', 'id'] }),
        ],
        foreignKeys: [
          new TableForeignKey({
            name: 'orders_pet',
            columnNames: ['petId'],
            referencedTableName: 'pets',
            referencedColumnNames: ['id'],
          }),
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('orders');
  }
}
