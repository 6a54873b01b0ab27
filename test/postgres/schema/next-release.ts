import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, temporaryDirectory } from '../../support/built-service.js';

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
export async function nextRelease(): Promise<string> {
  const current = await build();
  const next = join(temporaryDirectory(), 'next');
  for (const part of ['dist', 'openapi.yaml', 'package.json']) {
    cpSync(join(current, part), join(next, part), { recursive: true });
  }
  symlinkSync(join(current, 'node_modules'), join(next, 'node_modules'), 'junction');
  const file = join(next, 'dist/src/data-source.js');
  const code = readFileSync(file, 'utf8');
  const changed = code.replace(/migrations: \[([^\]]+)\]/, `migrations: [$1, ${NEXT_MIGRATIONS.join(', ')}]`);
  if (changed === code) throw new Error('data-source.js lists no migrations');
  writeFileSync(file, `${MIGRATIONS}${changed}`);
  return next;
}
