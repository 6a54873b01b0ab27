import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessageOf, runCommand, startService, stopService } from '../../support/built-service.js';
import { copied, copy, failure, fill, nameOf, postgres, quoted, sqlite, TIME } from './copies.js';
import { NEXT_MIGRATIONS, nextRelease } from '../schema/next-release.js';
import { migrate, statements, stored } from './stored-rows.js';

const NAMES = ['Zoë', '小白', '🐕‍🦺', `O'Malley "Tom" \\ {a,b}`, 'two\nlines\t', 'NULL', ' ', '\u{10FFFF}'];
const STATUSES = [`'available'`, `'pending'`, `'sold'`, 'NULL'];
const EXTREMES = ['-9223372036854775808', '-1', '0', '9007199254740993', '9223372036854775806', '9223372036854775807'];

const checksum = expect.stringMatching(/^sha256:[\da-f]{64}$/);

describe('npm run db:copy', () => {
  it(
    'copies pets, keys and the next id from SQLite to PostgreSQL and back, exactly',
    async () => {
      const [file, server, back] = [await fill(sqlite(), 12_345), await postgres(), sqlite()];
      const before = await stored(file);
      for (const [from, to] of [
        [file, server],
        [server, back],
      ] as const) {
        expect(await copied(from, to)).toEqual({
          from: nameOf(from),
          to: nameOf(to),
          seconds: expect.any(Number),
          resumed: false,
          tables: expect.arrayContaining([
            { name: 'api_keys', rows: 2, checksum },
            { name: 'idempotency_keys', rows: 1, checksum },
            { name: 'pets', rows: 12_345, checksum },
          ]),
        });
        expect(await stored(to)).toEqual(before);
      }
    },
    TIME,
  );

  it(
    'keeps every digit of int64 and every character of names in any language',
    async () => {
      const [file, server, back] = [sqlite(), await postgres(), sqlite()];
      await migrate(file);
      const rows = EXTREMES.map((id, index) => {
        const cells = [id, quoted(NAMES[index]!), EXTREMES.at(-1 - index), STATUSES[index % STATUSES.length]];
        return `(${cells.join(', ')})`;
      });
      const more = NAMES.map((name, index) => `(${index + 100}, ${quoted(name)}, 7, NULL)`);
      await statements(file, `INSERT INTO "pets" VALUES ${[...rows, ...more].join(', ')}`);
      const { pets } = await stored(file);
      expect(pets.map(({ id }) => id)).toEqual(expect.arrayContaining(EXTREMES));
      await copied(file, server);
      await copied(server, back);
      const sequences = [{ name: 'pets', last: '9223372036854775807' }];
      expect(await stored(server)).toEqual({ pets, keys: [], requests: [], sequences });
      expect(await stored(back)).toEqual({ pets, keys: [], requests: [], sequences });
    },
    TIME,
  );

  it(
    'copies a catalogue without pets',
    async () => {
      const [from, to] = [sqlite(), await postgres()];
      await migrate(from);
      const { stdout } = await copy(from, to);
      expect(stdout).toMatch(
        /^Copied \S+ to \S+ in [\d.]+ s: 0 api_keys and (?:.* and )?0 pets(?: and .*)?; counts and checksums match\.\n$/,
      );
      expect(await stored(to)).toEqual({ pets: [], keys: [], requests: [], sequences: [] });
    },
    TIME,
  );

  it(
    'produces a database that accepts the same keys and continues with the next id',
    async () => {
      const [from, to] = [sqlite(), await postgres()];
      const { stdout } = await runCommand(from.slice('sqlite:'.length), ['src/commands/keys.js', 'create', 'app']);
      const [key] = /pets_\w+/.exec(stdout)!;
      await statements(from, `INSERT INTO "pets" VALUES (41, 'Rex', 7, NULL)`);
      await copied(from, to);
      const service = await startService(to, { DATABASE_URL: to });
      const response = await service.api.post('/v1/pets', { name: 'Ada', categoryId: 7 }, { key });
      expect({ status: response.status, body: response.text }).toEqual({
        status: 201,
        body: '{"id":42,"name":"Ada","categoryId":7}',
      });
      await stopService(service);
    },
    TIME,
  );

  it(
    'rejects a target that is not empty, and leaves it unchanged',
    async () => {
      const from = await fill(sqlite(), 3);
      for (const to of [sqlite(), await postgres()]) {
        await migrate(to);
        await statements(to, `INSERT INTO "pets" VALUES (2, 'Mine', 7, NULL)`);
        const before = await stored(to);
        expect(errorMessageOf(await copy(from, to))).toBe(
          `The database ${nameOf(to)} is not empty (it has pets); choose an empty database.`,
        );
        expect(await stored(to)).toEqual(before);
      }
    },
    TIME,
  );

  it(
    'rejects what no entity declares before it writes anything, unless it is left out on purpose',
    async () => {
      for (const [from, to] of [
        [await fill(sqlite(), 3), sqlite()],
        [await fill(await postgres(), 3), sqlite()],
      ] as const) {
        await statements(
          from,
          'CREATE TABLE "audit" ("id" integer PRIMARY KEY, "what" text)',
          `ALTER TABLE "pets" ADD COLUMN "legacy" text DEFAULT 'precious'`,
          // Loses nothing: its values follow from others.
          ...(from.startsWith('sqlite:')
            ? ['ALTER TABLE "pets" ADD COLUMN "loud" text GENERATED ALWAYS AS (upper("name")) VIRTUAL']
            : [
                'ALTER TABLE "pets" ADD COLUMN "loud" text GENERATED ALWAYS AS (upper("name")) STORED',
                'CREATE SCHEMA "others"',
                'CREATE TABLE "others"."things" ("id" integer)',
              ]),
        );
        const refusal = (names: string) =>
          `No entity declares ${names} of ${nameOf(from)}, so the copy would lack this; drop it there, or accept that with --leave-out audit,pets.legacy.`;
        expect(errorMessageOf(await copy(from, to))).toBe(refusal('audit, pets.legacy'));
        expect(errorMessageOf(await copy(from, to, '--leave-out', 'audit'))).toBe(refusal('pets.legacy'));
        expect(errorMessageOf(await copy(from, to, '--leave-out', 'audit,pets.legacy,pets.name'))).toBe(
          `The database ${nameOf(from)} has no undeclared table or column pets.name; remove it from --leave-out.`,
        );
        expect(existsSync(nameOf(to))).toBe(false);
        expect(await copy(from, to, '--leave-out', 'audit,pets.legacy')).toMatchObject({ code: 0 });
        expect(await stored(to)).toEqual(await stored(from));
      }
    },
    TIME,
  );

  it(
    'rejects the schema of an older release on either side, and leaves it unchanged',
    async () => {
      const [next, newest] = [await nextRelease(), await postgres()];
      await runCommand(newest, [join(next, 'dist/src/commands/migrate.js')]);
      const older = [await fill(sqlite(), 3), await fill(await postgres(), 3)] as const;
      for (const [from, to] of [
        [older[0], newest],
        [newest, older[1]],
      ]) {
        const options = ['--from', from!, '--to', to!, '--leave-out', 'pets.nickname'];
        const end = await runCommand(to!, [join(next, 'dist/src/commands/db-copy.js'), ...options]);
        expect(errorMessageOf(end)).toMatch(
          /^The schema of \S+ is older than this release; run "npm run migrate" first/,
        );
      }
      for (const database of older) {
        const [names] = await statements(database, 'SELECT "name" FROM "migrations"');
        expect(names!.map(({ name }) => name)).not.toContain(NEXT_MIGRATIONS[0]);
        expect((await stored(database)).pets).toHaveLength(3);
      }
    },
    TIME,
  );

  it(
    'names the row that PostgreSQL cannot store',
    async () => {
      const from = await fill(sqlite(), 3);
      await statements(from, `INSERT INTO "pets" VALUES (7, 'a' || char(0) || 'b', 7, NULL)`);
      expect(await failure(from, await postgres())).toBe(
        'The row 7 of pets contains the character U+0000, which PostgreSQL cannot store; change it in the source and run this again.',
      );
    },
    TIME,
  );

  it(
    'reports why PostgreSQL rejects a row',
    async () => {
      const [from, to] = [await fill(sqlite(), 3), await postgres()];
      await migrate(to);
      await statements(to, `ALTER TABLE "pets" ADD CONSTRAINT "few" CHECK ("id" < 3)`);
      expect(await failure(from, to)).toBe(
        `The database ${nameOf(to)} rejects a row (new row for relation "pets" violates check constraint "few"); fix it in the source and run this again.`,
      );
    },
    TIME,
  );
});
