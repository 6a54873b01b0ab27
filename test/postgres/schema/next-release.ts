import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, temporaryDirectory } from '../../support/built-service.js';

/** What a release may do to the schema while the one before serves: it adds, and waits for nobody for long. */
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
    // It keeps nobody waiting, and waits for everybody itself.
    await runner.query('SET lock_timeout = 0');
    // An earlier attempt that was interrupted has left one that is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS "pets_by_nickname"');
    await runner.query('CREATE INDEX CONCURRENTLY "pets_by_nickname" ON "pets" ("nickname", "id")');
  }
}
`;

export const NEXT_MIGRATIONS = ['AddNicknames1999999999001', 'IndexNicknames1999999999002'];

/** The directory of a build like ours that has two migrations more. */
export async function nextRelease(): Promise<string> {
  const ours = await build();
  const next = join(temporaryDirectory(), 'next');
  for (const part of ['dist', 'openapi.yaml', 'package.json']) {
    cpSync(join(ours, part), join(next, part), { recursive: true });
  }
  symlinkSync(join(ours, 'node_modules'), join(next, 'node_modules'), 'junction');
  const file = join(next, 'dist/src/data-source.js');
  const code = readFileSync(file, 'utf8');
  const changed = code.replace(/migrations: \[([^\]]+)\]/, `migrations: [$1, ${NEXT_MIGRATIONS.join(', ')}]`);
  if (changed === code) throw new Error('data-source.js names no migrations');
  writeFileSync(file, `${MIGRATIONS}${changed}`);
  return next;
}
