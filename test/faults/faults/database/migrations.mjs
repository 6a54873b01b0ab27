const TESTS = 'database/migrations/data';

/** What migrations leave behind, and how they read it. */
export default [
  {
    mistake: 'migrations on SQLite round int64',
    file: 'src/platform/database/migrations/migrate-sqlite.ts',
    text: 'await withExactIntegers(sqliteConnection(dataSource), () => dataSource.runMigrations())',
    replacement: 'await dataSource.runMigrations()',
    tests: TESTS,
    promise: 'keeps all digits of int64 by statements',
  },
  {
    mistake: 'migrations on SQLite get a bigint for each integer',
    file: 'src/platform/database/migrations/exact-integers.ts',
    text: "typeof value === 'bigint' && Number.isSafeInteger(Number(value))",
    replacement: "typeof value === 'bigint' && value === 0n",
    tests: TESTS,
    promise: 'gets other integers as numbers',
  },
];
