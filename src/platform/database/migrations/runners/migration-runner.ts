import type { QueryRunner } from 'typeorm';

export interface MigrationRunner extends QueryRunner {
  /** As the database sees it: TypeORM does not notice a statement that begins or ends a transaction. */
  isInTransaction(): Promise<boolean>;
}
