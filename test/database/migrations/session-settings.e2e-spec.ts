import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import type { DataSource, QueryRunner } from 'typeorm';
import { LOCK_SUFFIX, SqliteLock } from '../../../src/platform/database/sqlite/files/sqlite-lock.js';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

const database = new MigratedDatabase();

/** The values of these settings in a session. */
async function settingsOf(
  session: Pick<DataSource | QueryRunner, 'query'>,
  names: readonly string[],
): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const name of names) {
    const [row] = (await session.query(ENGINE === 'postgres' ? `SHOW ${name}` : `PRAGMA ${name}`)) as object[];
    values.push(Object.values(row!)[0]); // Each has one row with one value.
  }
  return values;
}

/** Opens the database with a migration that has these statements, and one after it that notes the settings which it finds. */
async function migrate(statements: readonly string[], transaction: boolean, names: readonly string[]) {
  let next: unknown[] = [];
  const change: Up = async (runner) => {
    for (const statement of statements) await runner.query(statement);
  };
  const note: Up = async (runner) => {
    next = await settingsOf(runner, names);
  };
  const dataSource = await database.open([], [stepOf(0, change, { transaction }), stepOf(1, note, { transaction })]);
  return { next, service: await settingsOf(dataSource, names) };
}

if (ENGINE === 'sqlite') {
  describe('a PRAGMA of a migration', () => {
    const NAMES = ['foreign_keys', 'ignore_check_constraints', 'synchronous', 'recursive_triggers', 'cache_size'];
    const CHANGES = [
      'PRAGMA ignore_check_constraints = ON',
      'PRAGMA synchronous = OFF',
      'PRAGMA recursive_triggers = ON',
      'PRAGMA cache_size = -7',
    ];

    it.each(['ON', 'OFF'])('ends with it, for the next one and the service: foreign_keys = %s', async (value) => {
      const { next, service } = await migrate([`PRAGMA foreign_keys = ${value}`, ...CHANGES], false, NAMES);
      // Off, because TypeORM would drop tables to which rows refer.
      expect(next).toEqual([0, 0, 2, 0, -8000]);
      expect(service).toEqual([1, 0, 2, 0, -8000]);
    });
  });

  describe('the right to serve a file', () => {
    let lock: SqliteLock | undefined;
    afterEach(() => lock?.release());

    it('stays with a start that migrates', async () => {
      const claim = (file: string) => void (lock = SqliteLock.take(file));
      await database.open([], [stepOf(0, 'PRAGMA synchronous = OFF', { transaction: false })], claim);
      const other = `const Database = require('better-sqlite3');
        try { new Database(process.argv[1], { timeout: 0 }).exec('BEGIN EXCLUSIVE'); } catch ({ code }) { console.log(code); }`;
      const path = `${sqliteFile(database.url)}${LOCK_SUFFIX}`;
      expect(execFileSync(process.execPath, ['-e', other, path], { encoding: 'utf8' })).toBe('SQLITE_BUSY\n');
    });
  });
} else {
  describe('a SET of a migration', () => {
    const NAMES = ['lock_timeout', 'TimeZone', 'search_path', 'work_mem'];
    const CHANGES = [
      'SET lock_timeout = 0',
      `SET TimeZone TO 'Asia/Tokyo'`,
      'SET search_path TO public, pg_catalog',
      `SET work_mem = '7MB'`,
    ];

    it.each([true, false])('ends with it, for the next one: transaction = %s', async (transaction) => {
      const { next } = await migrate(CHANGES, transaction, NAMES);
      expect(next.slice(0, 3)).toEqual(['300ms', 'UTC', '"$user", public']);
      expect(next[3]).not.toBe('7MB');
    });
  });
}
