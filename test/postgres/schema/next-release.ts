import { buildWithMigrations } from '../../support/build-with.js';

/** Migrations that may run while the previous release serves: they only add, and hold no lock for long. */
const MIGRATIONS = `
class AddNicknames1999999999001 {
  name = 'AddNicknames1999999999001';
  async up(runner) {
    await runner.query('ALTER TABLE "pets" ADD COLUMN "nickname" text');
  }
}
class IndexNicknames1999999999002 {
  name = 'IndexNicknames1999999999002';
  transaction = false;
  async up(runner) {
    // The index blocks no statement, but waits for running ones.
    await runner.query('SET lock_timeout = 0');
    // An interrupted attempt leaves an invalid index.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS "pets_by_nickname"');
    await runner.query('CREATE INDEX CONCURRENTLY "pets_by_nickname" ON "pets" ("nickname", "id")');
  }
}
`;

export const NEXT_MIGRATIONS = ['AddNicknames1999999999001', 'IndexNicknames1999999999002'];

/** The directory of a build with two additional migrations. */
export const nextRelease = (): Promise<string> => buildWithMigrations(NEXT_MIGRATIONS, MIGRATIONS);
