import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import Database from 'better-sqlite3';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileFault } from '../../src/platform/database/sqlite/files/file-fault.js';
import { SqliteFileGuard } from '../../src/platform/database/sqlite/files/sqlite-file-guard.js';

let directory: string;
let file: string;
let connection: Database.Database;

beforeAll(() => Logger.overrideLogger(false));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'guard-'));
  file = join(directory, 'pets.sqlite');
});

afterEach(() => {
  connection.close();
  rmSync(directory, { recursive: true });
});

function connect(path: string, mode: 'wal' | 'delete'): void {
  connection = new Database(path);
  connection.pragma(`journal_mode = ${mode}`);
  connection.exec('CREATE TABLE toys (name text)');
}

function open(path: string, mode: 'wal' | 'delete'): SqliteFileGuard {
  connect(path, mode);
  return SqliteFileGuard.of(connection);
}

/** Calls `happen` while a check runs: after it has asked for the sizes of the files, before it compares them. */
function duringCheck(happen: () => void): void {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((text: string) => {
    const statement = prepare(text);
    const get = statement.get.bind(statement);
    statement.get = () => {
      if (text === 'PRAGMA page_count') happen();
      return get();
    };
    return statement;
  }) as typeof connection.prepare;
}

describe('the check of the files of a database', () => {
  it('passes where SQLite cannot use a write-ahead log', () => {
    const guard = open(file, 'delete');
    expect(existsSync(`${file}-wal`)).toBe(false);
    guard.check();
    rmSync(file);
    expect(() => guard.check()).toThrow(`${file} was deleted, moved or replaced`);
  });

  it('fails for as long as the path cannot be followed', () => {
    const guard = open(file, 'wal');
    const elsewhere = `${directory}-elsewhere`;
    renameSync(directory, elsewhere);
    symlinkSync(directory, directory);
    expect(() => guard.checkCommit()).toThrow(FileFault);
    rmSync(directory);
    renameSync(elsewhere, directory);
    guard.checkCommit();
  });

  it('says that a file is lost, not truncated, when it is lost during the check', () => {
    connect(file, 'wal');
    duringCheck(() => existsSync(file) && renameSync(file, `${file}.moved`));
    const guard = SqliteFileGuard.of(connection);
    expect(() => guard.check()).toThrow(`${file} was deleted, moved or replaced`);
  });

  it('follows a symbolic link to the database, as SQLite does', () => {
    new Database(file).close();
    const link = join(directory, 'link.sqlite');
    symlinkSync(file, link);
    const guard = open(link, 'wal');
    guard.check();
    copyFileSync(file, join(directory, 'other.sqlite'));
    rmSync(link);
    symlinkSync(join(directory, 'other.sqlite'), link);
    expect(() => guard.check()).toThrow(`${link} was deleted, moved or replaced`);
  });

  it('passes after the connection was closed, which deletes the write-ahead log', () => {
    const guard = open(file, 'wal');
    connection.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    guard.check();
  });

  it('refuses a second name of the database, but not of the files beside it', () => {
    writeFileSync(`${file}-lock`, '');
    const guard = open(file, 'wal');
    for (const suffix of ['-wal', '-shm', '-lock']) linkSync(`${file}${suffix}`, `${file}${suffix}.linked`);
    guard.check();
    linkSync(file, `${file}.linked`);
    expect(() => guard.check()).toThrow(
      `${file} was linked to a second name while in use, so every request gets 503: delete that name ("find DIRECTORY -samefile ${file}" finds it) and restart the service.`,
    );
  });

  it('notices that the write-ahead log was emptied, although it has its size again', () => {
    const guard = open(file, 'wal');
    guard.check();
    const { size } = statSync(`${file}-wal`);
    truncateSync(`${file}-wal`);
    truncateSync(`${file}-wal`, size);
    expect(() => guard.check()).toThrow(`${file}-wal was truncated`);
  });

  it('notices that the write-ahead log loses only what was appended since it was last asked for its size', () => {
    const guard = open(file, 'wal');
    guard.check();
    const { size } = statSync(`${file}-wal`);
    connection.exec("INSERT INTO toys VALUES ('ball')");
    guard.checkCommit();
    truncateSync(`${file}-wal`, size);
    expect(() => guard.checkBeforeCommit()).toThrow(`${file}-wal was truncated`);
  });
});
