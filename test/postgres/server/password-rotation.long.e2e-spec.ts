import { afterAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type BuiltService, runCommand, runService, startService, stopService } from '../../support/built-service.js';
import { createEmptyDatabase, onServer, type TestDatabase } from '../../support/databases/databases.js';
import { operationsSection } from '../../support/operations-page.js';
import { addPet, walk } from '../../support/pets.js';

/** Milliseconds for several starts of the service, and possibly a build. */
const TIME = 120_000;
const PASSWORD = 'p@ss/word: 100 %';

/** Instead of `pets`, which another test could use as well. */
const FIRST = `pets_${randomBytes(4).toString('hex')}`;
const SECOND = `${FIRST}_b`;

let database: TestDatabase;
/** As it is before the migrations of a later release. */
let later: TestDatabase | undefined;

afterAll(async () => {
  await database.drop();
  await later?.drop();
  await onServer(`DROP ROLE IF EXISTS ${SECOND}`);
  await onServer(`DROP ROLE IF EXISTS ${FIRST}`);
});

/** A statement of docs/operations.md with the names and the password of this test. */
function statement(pattern: RegExp): string {
  const [text] = pattern.exec(operationsSection('Rotate the password of PostgreSQL'))!;
  return text.replaceAll('pets', FIRST).replace('NEW', PASSWORD);
}

function urlOf(role: string, password: string, { url: address } = database): string {
  const url = new URL(address);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.href;
}

/** The owners of its tables. */
async function ownersOf({ url }: TestDatabase): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ owner: string }>(
      `SELECT DISTINCT "tableowner" AS "owner" FROM "pg_tables" WHERE "schemaname" = 'public'`,
    );
    return rows.map(({ owner }) => owner);
  } finally {
    await client.end();
  }
}

it(
  'the password of PostgreSQL is rotated as docs/operations.md says, and no request fails',
  async () => {
    database = await createEmptyDatabase();
    await onServer(`CREATE ROLE ${FIRST} LOGIN PASSWORD 'old'`);
    await onServer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${FIRST}`);
    const [before, after] = [urlOf(FIRST, 'old'), urlOf(SECOND, PASSWORD)];
    expect(await runCommand(before, ['commands/migrate.js'])).toMatchObject({ code: 0 });
    let current: BuiltService = await startService(before);
    const added: unknown[] = [await addPet(current.api)];

    await onServer(statement(/CREATE ROLE pets_b [^`]*/));
    const next = await startService(after);
    added.push(await addPet(current.api));
    const previous = current;
    current = next;
    added.push(await addPet(current.api));
    await stopService(previous);
    const open = statement(/SELECT count[^`)]*\)[^`)]*/);
    while ((await onServer<{ count: string }>(open))[0]!.count !== '0') await delay(20);

    await onServer(statement(/ALTER ROLE pets NOLOGIN/));
    expect(await runService(before)).toMatchObject({ code: 1 });
    added.push(await addPet(current.api));
    expect(await walk(current.api, '/v1/pets')).toEqual(added);
    expect((await current.api.get('/ready')).status).toBe(200);
    await stopService(current);

    later = await createEmptyDatabase();
    await onServer(`ALTER DATABASE ${new URL(later.url).pathname.slice(1)} OWNER TO ${FIRST}`);
    expect(await runCommand(urlOf(SECOND, PASSWORD, later), ['commands/migrate.js'])).toMatchObject({ code: 0 });
    expect(await ownersOf(later)).toEqual([FIRST]);
  },
  TIME,
);
