const TESTS = 'database/migrations/data';
const MIGRATE_SQLITE = 'src/platform/database/migrations/migrate-sqlite.ts';
const RUN = 'src/platform/database/migrations/run-migrations.ts';

/** What migrations leave behind, and how they read it. */
export default [
  {
    mistake: 'migrations on SQLite round int64',
    file: MIGRATE_SQLITE,
    text: 'withExactIntegers(connection, () => runMigrations(dataSource, dataSource.createQueryRunner(), check))',
    replacement: 'runMigrations(dataSource, dataSource.createQueryRunner(), check)',
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
  {
    mistake: 'a migration on SQLite leaves rows that refer to missing ones',
    file: MIGRATE_SQLITE,
    text: '=> refuseOrphans(connection, migration);',
    replacement: '=> void migration;',
    tests: TESTS,
    promise: 'is refused and undone when a row refers to a missing one',
  },
  {
    mistake: 'a migration is checked after it took effect',
    file: RUN,
    text: '    await checkLast();\n    await commit();\n',
    replacement: '    await commit();\n    await checkLast();\n',
    tests: TESTS,
    promise: 'is refused and undone when a row refers to a missing one',
  },
  {
    mistake: 'a migration without a transaction is not checked again',
    file: RUN,
    text: '      await undo?.(name);\n',
    replacement: '      void undo;\n',
    tests: TESTS,
    promise: 'is refused again and again when it has no transaction',
  },
  {
    mistake: 'a migration is checked when it commits a transaction of its own',
    file: RUN,
    text: '    if (name === undefined) return;\n',
    replacement: '',
    tests: TESTS,
    promise: 'may refer to rows that it adds later, on SQLite even after a transaction of its own',
  },
];
