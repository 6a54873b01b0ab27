import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { ARE_PETS_APPEND_ONLY } from '../../support/append-only-pets.js';
import { errorMessageOf, runCommand, runService, spawnService } from '../../support/built-service.js';
import { copied, copy, failure, fill, nameOf, postgres, sqlite, TIME, whileCopying } from './copies.js';
import { migrate, statements, stored } from './stored-rows.js';

/** Rows that may change are compared again, and copied again where they differ. */
const itAppendOnly = ARE_PETS_APPEND_ONLY ? it : it.skip;

/** A copy of 20,000 pets to PostgreSQL, killed after 10,000. */
async function killedCopy(): Promise<{ from: string; to: string }> {
  const from = await fill(sqlite(), 20_000);
  const to = await postgres();
  const end = await whileCopying(from, to, async (kill) => kill());
  expect({ ...end, pets: (await stored(to)).pets.length }).toEqual({
    code: null,
    signal: 'SIGKILL',
    stdout: '',
    stderr: expect.stringMatching(/^(copying \w+ {2}\d+ % .*\n)+$/),
    pets: 10_000,
  });
  return { from, to };
}

describe('npm run db:copy after an interruption', () => {
  it(
    'continues where it was killed; until then no service starts on the partial copy',
    async () => {
      const { from, to } = await killedCopy();
      const name = nameOf(to);
      const unfinished = `The database ${name} holds an unfinished copy of ${nameOf(from)}; `;
      for (const end of [
        await runService(to, { DATABASE_URL: to }),
        await runCommand(to, ['src/commands/seed.js', '--pets', '1'], { DATABASE_URL: to }),
      ]) {
        expect(errorMessageOf(end)).toBe(`${unfinished}run the same "npm run db:copy" again to finish it.`);
      }
      expect(errorMessageOf(await copy(await fill(sqlite(), 3), to))).toBe(
        `${unfinished}finish that copy or choose an empty database.`,
      );
      expect(errorMessageOf(await copy(to, sqlite()))).toContain(unfinished);
      // Keys may change meanwhile; pets never do.
      await statements(from, `DELETE FROM "api_keys" WHERE "name" = 'old'`);
      expect(await copied(from, to)).toMatchObject({ resumed: true });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  it.each([
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ])(
    'can be finished, and until then not be used, when it was killed as soon as the tables existed: %s',
    async (_, create) => {
      const [from, to] = [await fill(sqlite(), 3), await create()];
      await migrate(to, nameOf(from));
      const unfinished = `The database ${nameOf(to)} holds an unfinished copy of ${nameOf(from)}; run the same "npm run db:copy" again to finish it.`;
      for (const end of [
        await runService(to, { DATABASE_URL: to }),
        await runCommand(to, ['src/commands/keys.js', 'create', 'early'], { DATABASE_URL: to }),
        await runCommand(to, ['src/commands/migrate.js', '--undo'], { DATABASE_URL: to }),
      ]) {
        expect(errorMessageOf(end)).toBe(unfinished);
      }
      expect(await copied(from, to)).toMatchObject({ resumed: false });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  it(
    'continues a copy to SQLite that was killed anywhere',
    async () => {
      const [from, to] = [await fill(await postgres(), 100_000), sqlite()];
      await migrate(to);
      const { child, exit } = await spawnService(to, {}, ['src/commands/db-copy.js', '--from', from, '--to', to]);
      const count = async () => Number((await statements(to, `SELECT COUNT(*) AS "n" FROM "pets"`))[0]![0]!.n);
      while ((await count()) === 0) await delay(5);
      child.kill('SIGKILL');
      expect(await exit).toEqual({ code: null, signal: 'SIGKILL' });
      expect(await copied(from, to)).toMatchObject({ resumed: true });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  itAppendOnly(
    'finds a foreign change in the target by its checksums',
    async () => {
      const { from, to } = await killedCopy();
      await statements(to, `UPDATE "pets" SET "categoryId" = "categoryId" + 1 WHERE "id" = 4321`);
      const sum = 'sha256:[0-9a-f]{64}';
      expect(await failure(from, to)).toMatch(
        new RegExp(
          `^The pets of \\S+ \\(20000 rows, ${sum}\\) differ from those of \\S+ \\(20000 rows, ${sum}\\), first in row 4321; copy into an empty database instead\\.$`,
        ),
      );
      expect(errorMessageOf(await runService(to, { DATABASE_URL: to }))).toContain('holds an unfinished copy');
    },
    TIME,
  );

  it(
    'finds rows that the target lacks at its end',
    async () => {
      const [from, to] = [await fill(sqlite(), 7), await postgres()];
      await migrate(to);
      await statements(
        to,
        `CREATE FUNCTION "lose"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
        `CREATE TRIGGER "lose" BEFORE INSERT ON "pets" FOR EACH ROW WHEN (NEW."id" > 5) EXECUTE FUNCTION "lose"()`,
      );
      expect(await failure(from, to)).toMatch(
        /^The pets of \S+ \(5 rows, .* differ from those of \S+ \(7 rows, .*, first in row 6; copy into an empty database instead\.$/,
      );
    },
    TIME,
  );

  itAppendOnly(
    'finds rows at the end of the target that the source no longer has',
    async () => {
      const { from, to } = await killedCopy();
      await statements(from, `DELETE FROM "pets" WHERE "id" > 9995`);
      expect(await failure(from, to)).toMatch(
        /^The pets of \S+ \(10000 rows, .* differ from those of \S+ \(9995 rows, .*, first in row 9996; copy into an empty database instead\.$/,
      );
    },
    TIME,
  );

  const LATE_PET = `INSERT INTO "pets" VALUES (20001, 'Late', 7, NULL)`;
  const REVOKED_KEY = `UPDATE "api_keys" SET "revokedAt" = 5 WHERE "name" = 'app'`;

  it.each<[string, string, () => string | Promise<string>, string, string]>([
    ['a pet', 'SQLite', sqlite, LATE_PET, 'pets'],
    ['a pet', 'PostgreSQL', postgres, LATE_PET, 'pets'],
    ['a revoked key', 'SQLite', sqlite, REVOKED_KEY, 'api_keys'],
    ['a revoked key', 'PostgreSQL', postgres, REVOKED_KEY, 'api_keys'],
  ])(
    'reports that %s was stored in a source on %s during the copy, and copies it when run again',
    async (_, __, create, statement, table) => {
      const [from, to] = [await fill(await create(), 20_000), await postgres()];
      const { code, stderr } = await whileCopying(from, to, async () => void (await statements(from, statement)));
      expect({ code, message: stderr.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        message: `All rows were copied, but ${table} in ${nameOf(from)} changed meanwhile; stop its writers and run this again to copy the changes.`,
      });
      expect(await copied(from, to)).toMatchObject({ resumed: true });
      expect(await stored(to)).toEqual(await stored(from));
    },
    TIME,
  );

  it(
    'stops when another process stores pets in the target',
    async () => {
      const [from, to] = [await fill(sqlite(), 20_000), await postgres()];
      const { code, stderr } = await whileCopying(
        from,
        to,
        async () => void (await statements(to, `INSERT INTO "pets" VALUES (15001, 'Mine', 7, NULL)`)),
      );
      expect({ code, message: stderr.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        message: `Another process writes to ${nameOf(to)}; stop it and run this again.`,
      });
    },
    TIME,
  );
});
