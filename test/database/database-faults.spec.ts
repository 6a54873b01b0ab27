import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { postgresFault } from '../../src/platform/database/postgres/postgres-fault.js';
import { sqliteFault } from '../../src/platform/database/sqlite/sqlite-fault.js';
import { ForeignKeyConflict, UniqueConflict } from '../../src/platform/database/tables/conflicts.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { DomainError } from '../../src/platform/errors/domain-error.js';

/** Codes that look like those of Node, SQLite and PostgreSQL. */
const CODES = ['TOY_SOLD', 'ECONNREFUSED', 'SQLITE_BUSY', '57014'];

class ToySold extends DomainError {
  readonly kind = 'conflict';

  constructor(readonly code: string) {
    super('The toy is sold.');
  }
}

function reported(code: string, detail?: string): DatabaseError {
  return Object.assign(new DatabaseError('no', 2, 'error'), { severity: 'ERROR', code, detail });
}

describe.each([
  ['SQLite', sqliteFault],
  ['PostgreSQL', postgresFault],
])('a fault of %s', (_, faultOf) => {
  it.each(CODES)('leaves an error of a feature with the code %s as it is', (code) => {
    const error = new ToySold(code);
    expect(faultOf(error, true)).toBe(error);
    expect(faultOf(error, false)).toBe(error);
  });

  it('leaves a mistake in the code as it is while the database is open', () => {
    const error = new TypeError('undefined is not a function');
    expect(faultOf(error, true)).toBe(error);
    expect(faultOf(error, false)).toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a fault of PostgreSQL', () => {
  it.each(['08006', '25006', '40001', '40P01', '53300', '57014', '57P01', '58030', 'XX001'])(
    'is an outage for %s',
    (code) => {
      expect(postgresFault(reported(code), true)).toBeInstanceOf(DatabaseUnavailable);
      expect(postgresFault(new QueryFailedError('SELECT', [], reported(code)), true)).toBeInstanceOf(
        DatabaseUnavailable,
      );
    },
  );

  it.each(['42P01', '22001', '23502', '23514'])('is the error itself for %s', (code) => {
    const error = reported(code);
    expect(postgresFault(error, true)).toBe(error);
  });

  it.each([
    ['Key (number)=(7) already exists.', ['number']],
    ['Schlüssel »(tenant, "eMail")=(7, (a)=(b))« existiert bereits.', ['tenant', 'eMail']],
    ['Key (lower(name))=(rex) already exists.', []],
    [undefined, []],
  ])('names the columns of a unique conflict with the detail %s', (detail, columns) => {
    const fault = postgresFault(reported('23505', detail), true);
    expect(fault).toBeInstanceOf(UniqueConflict);
    expect((fault as UniqueConflict).columns).toEqual(columns);
  });

  it('is a ForeignKeyConflict when a row is missing', () => {
    expect(postgresFault(reported('23503'), true)).toBeInstanceOf(ForeignKeyConflict);
  });
});

describe('a fault of SQLite', () => {
  let connection: Database.Database;

  beforeEach(() => {
    connection = new Database(':memory:');
    connection.exec(`CREATE TABLE toys (id integer PRIMARY KEY, name text, shelf int, room int REFERENCES toys, UNIQUE (name, shelf));
      CREATE UNIQUE INDEX by_expression ON toys (lower(name)) WHERE shelf = 8;
      INSERT INTO toys VALUES (1, 'Ball', 7, NULL), (2, 'Car', 8, NULL)`);
  });

  afterEach(() => void connection.close());

  function faultOf(statement: string): unknown {
    try {
      connection.exec(statement);
    } catch (error) {
      return sqliteFault(error, true);
    }
    throw new Error('It did not fail.');
  }

  it.each([
    [`INSERT INTO toys VALUES (3, 'Ball', 7, NULL)`, ['name', 'shelf']],
    [`INSERT INTO toys VALUES (3, 'CAR', 8, NULL)`, []],
  ])('names the columns of a unique conflict of %s', (statement, columns) => {
    const fault = faultOf(statement);
    expect(fault).toBeInstanceOf(UniqueConflict);
    expect((fault as UniqueConflict).columns).toEqual(columns);
  });

  it('is a ForeignKeyConflict when a row is missing', () => {
    expect(faultOf(`INSERT INTO toys VALUES (3, 'Car', 7, 99)`)).toBeInstanceOf(ForeignKeyConflict);
  });

  it('is an outage when the database cannot be written', () => {
    connection.pragma('query_only = 1');
    expect(faultOf('DELETE FROM toys')).toBeInstanceOf(DatabaseUnavailable);
  });

  it('is the error itself when the statement is wrong', () => {
    expect(faultOf('SELECT missing FROM toys')).toMatchObject({ name: 'SqliteError', code: 'SQLITE_ERROR' });
  });
});
