import type Database from 'better-sqlite3';

type Row = Record<string, unknown>;

/**
 * Has TypeORM read integers exactly during `work`: as a bigint where a number would be rounded. All others stay numbers, with
 * which TypeORM and migrations compare them.
 */
export async function withExactIntegers<Result>(
  connection: Database.Database,
  work: () => Promise<Result>,
): Promise<Result> {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((text: string) => exactly(prepare(text))) as typeof connection.prepare;
  try {
    return await work();
  } finally {
    // The method of the class is back. TypeORM may keep the statements, which stay exact.
    Reflect.deleteProperty(connection, 'prepare');
  }
}

/** Only for statements that return rows: TypeORM computes with the last id of an insert, which stays a number. */
function exactly(statement: Database.Statement): Database.Statement {
  if (!statement.reader) return statement;
  const all = statement.safeIntegers().all.bind(statement);
  statement.all = (...values) => (all(...values) as Row[]).map(withNumbers);
  return statement;
}

function withNumbers(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}
