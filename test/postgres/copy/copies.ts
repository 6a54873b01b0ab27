import { afterAll, expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type End, runCommand, spawnService, temporaryDirectory } from '../../support/built-service.js';
import { addressOf, onServer } from '../../support/databases/databases.js';
import { migrate, statements } from './stored-rows.js';

/** Milliseconds for several processes, and possibly a build and a PostgreSQL start. */
export const TIME = 600_000;
/** A progress line; only a slow copy prints some. */
const PROGRESS = /^(copying|comparing) \w+ {2}\d+ % {2}[\d,]+ of [\d,]+ {2}[\d,]+ rows\/s {2}[\d,]+ s( left)?$/;
const drops: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const drop of drops) await drop();
});

/** A database without tables, in a language that orders text differently from SQLite. */
export async function postgres(): Promise<string> {
  const name = `${process.env.TEST_DATABASE_PREFIX}_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'`);
  drops.push(async () => void (await onServer(`DROP DATABASE ${name} WITH (FORCE)`)));
  return addressOf(name);
}

export const sqlite = (): string => `sqlite:${join(temporaryDirectory(), 'pets.sqlite')}`;

/** The database's name in messages. */
export function nameOf(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length);
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Adds `count` pets, from id 1, and two keys. */
export async function fill(url: string, count: number): Promise<string> {
  const series = url.startsWith('sqlite:')
    ? `(WITH RECURSIVE "series"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "series" WHERE "i" < ${count}) SELECT "i" FROM "series")`
    : `(SELECT "i" FROM generate_series(1, ${count}) AS "i")`;
  await migrate(url);
  await statements(
    url,
    `INSERT INTO "pets" SELECT "i", 'Pet ' || "i", "i" % 9, CASE "i" % 3 WHEN 0 THEN 'sold' END FROM ${series} AS "numbers" WHERE true`,
    `INSERT INTO "sequences" VALUES ('pets', ${count + 5})`,
    `INSERT INTO "api_keys" VALUES ('b+/=', 'app', 1795132800000, NULL, NULL, NULL, NULL), ('B0', 'old', 1, 9007199254740993, 'read', 0, 9007199254740993)`,
    `INSERT INTO "idempotency_keys" VALUES ('c+/=', 'd', 201, '["Location","/v1/pets/1"]', '{"id":9007199254740993}', 9007199254740993)`,
  );
  return url;
}

export async function copy(from: string, to: string, ...more: string[]): Promise<End> {
  const end = await runCommand(to, ['src/commands/db-copy.js', '--from', from, '--to', to, ...more]);
  for (const { password } of [from, to].map((url) => new URL(url)).filter((url) => url.password !== '')) {
    expect(`${end.stdout}${end.stderr}`).not.toContain(`:${password}@`);
  }
  return end;
}

export async function copied(from: string, to: string): Promise<Record<string, unknown>> {
  const { stdout, stderr, code } = await copy(from, to, '--json');
  expect({
    code,
    unexpected: stderr
      .trim()
      .split('\n')
      .filter((line) => !PROGRESS.test(line)),
  }).toEqual({ code: 0, unexpected: [] });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The last line that a failing copy prints. */
export async function failure(from: string, to: string): Promise<string> {
  const { code, stdout, stderr } = await copy(from, to);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.trimEnd().split('\n').at(-1)!;
}

/** Starts a copy to PostgreSQL that blocks in its third batch during `work`, which may kill it. Resolves with its end. */
export async function whileCopying(from: string, to: string, work: (kill: () => void) => Promise<void>): Promise<End> {
  await migrate(to);
  const gate = new Client({ connectionString: to });
  await gate.connect();
  await gate.query('SELECT pg_advisory_lock(7)');
  await gate.query(`CREATE FUNCTION "wait"() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END'`);
  await gate.query(
    `CREATE TRIGGER "gate" BEFORE INSERT ON "pets" FOR EACH ROW WHEN (NEW."id" = 12000) EXECUTE FUNCTION "wait"()`,
  );
  const { child, output, exit } = await spawnService(to, {}, ['src/commands/db-copy.js', '--from', from, '--to', to]);
  const waiting = `SELECT "pid" FROM "pg_locks" WHERE "locktype" = 'advisory' AND NOT "granted"
    AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`;
  while ((await gate.query(waiting)).rows.length === 0) await delay(20);
  await work(() => child.kill('SIGKILL'));
  if (child.killed) {
    await exit;
    // The server notices a lost client only when it writes to it.
    await gate.query(`SELECT pg_terminate_backend("pid") FROM (${waiting}) AS "waiting"`);
    while ((await gate.query(waiting)).rows.length > 0) await delay(20);
  }
  await gate.query('SELECT pg_advisory_unlock(7)');
  const end = { ...(await exit), ...output };
  await gate.query('DROP FUNCTION "wait" CASCADE');
  await gate.end();
  return end;
}
