import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';

/** The previous release does not know the table, and keeps working beside it. */
export class AddIdempotencyKeys1795176000000 implements MigrationInterface {
  readonly name = 'AddIdempotencyKeys1795176000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'idempotency_keys',
        withoutRowid: true,
        columns: [
          { name: 'hash', type: 'varchar', isPrimary: true },
          { name: 'fingerprint', type: 'varchar' },
          { name: 'status', type: 'integer' },
          { name: 'headers', type: 'text' },
          { name: 'body', type: 'text', isNullable: true },
          { name: 'storedAt', type: 'bigint' },
        ],
        indices: [new TableIndex({ name: 'idempotency_keys_by_time', columnNames: ['storedAt'] })],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('idempotency_keys');
  }
}
