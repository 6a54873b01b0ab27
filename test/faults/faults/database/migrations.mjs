const TESTS = 'database/migrations/data';
const MIGRATE_SQLITE = 'src/platform/database/migrations/migrate-sqlite.ts';
const FORMS = 'src/platform/database/migrations/stored-forms.ts';
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
    text: '    refuseOrphans(connection, migration);\n',
    replacement: '    void migration;\n',
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
  {
    mistake: 'pages miss rows whose times a migration stored on SQLite',
    file: 'src/platform/database/migrations/mend-stored-forms.ts',
    text: '.run();',
    replacement: ';',
    tests: TESTS,
    promise: 'may add a column with the time at which it runs, by which pages are ordered',
  },
  {
    mistake: 'values that no codec stores stay on SQLite',
    file: MIGRATE_SQLITE,
    text: '    if (isLast) mendStoredForms(dataSource);\n',
    replacement: '    void isLast;\n',
    tests: TESTS,
    promise: 'is refused and undone when it stores another boolean',
  },
  {
    mistake: 'a day that does not exist becomes another one',
    file: FORMS,
    text: '    `date(${date}) = ${date}`,\n',
    replacement: '',
    tests: TESTS,
    promise: 'is refused and undone when it stores no day',
  },
  {
    mistake: 'a decimal that is too large stays on SQLite',
    file: FORMS,
    text: ' AND abs(${mended}) < 1e${precision! - scale}',
    replacement: '',
    tests: TESTS,
    promise: 'is refused and undone when it stores a large decimal',
  },
  {
    mistake: 'a decimal keeps digits behind its scale on SQLite',
    file: FORMS,
    text: 'const mended = `round(${name}, ${scale})`;',
    replacement: 'const mended = name;',
    tests: TESTS,
    promise: 'may store more digits than a decimal has, which conditions and pages find',
  },
];
