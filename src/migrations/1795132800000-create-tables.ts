import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';

/** Uses TypeORM's schema API, so that it works on every database. */
export class CreateTables1795132800000 implements MigrationInterface {
  readonly name = 'CreateTables1795132800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'pets',
        withoutRowid: true,
        columns: [
          { name: 'id', type: 'bigint', isPrimary: true },
          { name: 'name', type: 'text' },
          { name: 'categoryId', type: 'bigint' },
          { name: 'status', type: 'varchar', isNullable: true },
        ],
        indices: [new TableIndex({ name: 'pets_by_status', columnNames: ['status', 'id'] })],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'sequences',
        withoutRowid: true,
        columns: [
          { name: 'name', type: 'varchar', isPrimary: true },
          { name: 'last', type: 'bigint' },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'api_keys',
        withoutRowid: true,
        columns: [
          { name: 'hash', type: 'varchar', isPrimary: true },
          { name: 'name', type: 'varchar' },
          { name: 'createdAt', type: 'bigint' },
          { name: 'revokedAt', type: 'bigint', isNullable: true },
        ],
        indices: [new TableIndex({ name: 'api_keys_by_name', columnNames: ['name'] })],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['api_keys', 'sequences', 'pets']) await runner.dropTable(table);
  }
}
