import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../../support/built-service.js';
import { fill, postgres, sqlite, TIME } from './copies.js';
import { migrate, statements } from './stored-rows.js';

/** Megabytes of heap, of which Node and the libraries use half. */
const HEAP = 64;
const SMALL = { NODE_OPTIONS: `--max-old-space-size=${HEAP}` };

async function expectCopied(from: string, to: string, pets: number): Promise<void> {
  const end = await runCommand(to, ['src/commands/db-copy.js', '--from', from, '--to', to, '--json'], SMALL);
  expect({ code: end.code, signal: end.signal }).toEqual({ code: 0, signal: null });
  const { tables } = JSON.parse(end.stdout) as { tables: { name: string }[] };
  expect(tables.find(({ name }) => name === 'pets')).toMatchObject({ rows: pets });
}

/** Adds pets whose names together are several times the size of the heap. */
async function fillWithLongNames(url: string): Promise<number> {
  const count = 3000;
  await migrate(url);
  await statements(
    url,
    `INSERT INTO "pets" WITH RECURSIVE "series"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "series" WHERE "i" < ${count})
      SELECT "i", hex(randomblob(45000)), 7, NULL FROM "series"`,
    `INSERT INTO "sequences" VALUES ('pets', ${count})`,
  );
  return count;
}

describe('npm run db:copy with little memory', () => {
  it(
    'copies many pets to PostgreSQL and back',
    async () => {
      const [from, to, back] = [await fill(sqlite(), 200_000), await postgres(), sqlite()];
      await expectCopied(from, to, 200_000);
      await expectCopied(to, back, 200_000);
    },
    TIME,
  );

  it(
    'copies pets with long names to PostgreSQL and back',
    async () => {
      const [from, to, back] = [sqlite(), await postgres(), sqlite()];
      const count = await fillWithLongNames(from);
      await expectCopied(from, to, count);
      await expectCopied(to, back, count);
    },
    TIME,
  );
});
