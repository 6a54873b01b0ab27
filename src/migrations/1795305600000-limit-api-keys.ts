import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only adds columns that the previous release may leave null. */
export class LimitApiKeys1795305600000 implements MigrationInterface {
  readonly name = 'LimitApiKeys1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    // Without TypeORM's schema API, which would copy the whole table on SQLite.
    await runner.query('ALTER TABLE "api_keys" ADD COLUMN "scope" varchar');
    await runner.query('ALTER TABLE "api_keys" ADD COLUMN "expiresAt" bigint');
    await runner.query('ALTER TABLE "api_keys" ADD COLUMN "lastUsedAt" bigint');
    await runner.query(`UPDATE "api_keys" SET "expiresAt" = 0 WHERE "revokedAt" <= ${Date.now()}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Otherwise the previous release, and this one after another migration, would take them for keys without limits.
    const now = Date.now();
    await runner.query(
      `UPDATE "api_keys" SET "revokedAt" = ${now} WHERE ("scope" = 'read' OR "expiresAt" IS NOT NULL) AND ("revokedAt" IS NULL OR "revokedAt" > ${now})`,
    );
    for (const column of ['scope', 'expiresAt', 'lastUsedAt']) {
      await runner.query(`ALTER TABLE "api_keys" DROP COLUMN "${column}"`);
    }
  }
}
