const TESTS = 'database/conflicts/foreign-keys';
const SEARCHES = 'src/platform/database/tables/changes/reference-searches.ts';
const KEYS = 'src/platform/database/tables/columns/foreign-keys.ts';
const ON_POSTGRES = 'src/platform/database/postgres/tables/row-faults.ts';

/** Which foreign key forbids a change. */
export default [
  {
    mistake: 'a conflict of foreign keys on SQLite names none',
    file: 'src/platform/database/sqlite/sqlite-fault.ts',
    text: 'referenceSearches(table, row).find(finds)?.key',
    replacement: 'referenceSearches(table, row).slice(0, 0).find(finds)?.key',
    tests: TESTS,
    promise: 'in a table names the table and the properties for an insert',
  },
  {
    mistake: 'a deletion on SQLite does not name the foreign key that forbids it',
    file: 'src/platform/database/sqlite/sqlite-rows.ts',
    text: 'throw rowFault(error, this.connection, this.table, { id });',
    replacement: 'throw error;',
    tests: TESTS,
    promise: 'in a table names the table and the properties for a deletion',
  },
  {
    mistake: 'a deletion on PostgreSQL does not name the foreign key that forbids it',
    file: 'src/platform/database/postgres/tables/postgres-rows.ts',
    text: 'throw rowFault(error, this.table, { id });',
    replacement: 'throw error;',
    engine: 'postgres',
    tests: TESTS,
    promise: 'in a table of a transaction names the table and the properties for a deletion',
  },
  {
    mistake: 'PostgreSQL decides which of several broken foreign keys is reported',
    file: ON_POSTGRES,
    text: 'if (!reported || !isAlone) return reported;',
    replacement: 'if (reported || !isAlone) return reported;',
    engine: 'postgres',
    tests: TESTS,
    promise: 'a conflict of several foreign keys names the first one in the order of the columns',
  },
  {
    mistake: 'rows that a transaction added are missing when PostgreSQL has undone it',
    file: ON_POSTGRES,
    text: 'if (!reported || !isAlone) return reported;',
    replacement: 'if (!reported) return reported;',
    engine: 'postgres',
    tests: TESTS,
    promise: 'takes the rows of its own transaction into account',
  },
  {
    mistake: 'foreign keys have the order in which TypeORM lists them',
    file: KEYS,
    text: 'keys.toSorted(byPositions)',
    replacement: 'keys.toSorted(byPositions).toReversed()',
    tests: TESTS,
    promise: 'a conflict of several foreign keys names the first one in the order of the columns',
  },
  {
    mistake: 'rows that refer to those deleted with a row are not found',
    file: KEYS,
    text: 'visit(key.table, [...through, key]);',
    replacement: '',
    tests: TESTS,
    promise: 'names the table and the properties for a deletion with other rows',
  },
  {
    mistake: 'a row that refers to itself forbids its deletion',
    file: SEARCHES,
    text: 'key.table === name ?',
    replacement: "key.table === '' ?",
    tests: TESTS,
    promise: 'names the table and the properties for a deletion with other rows',
  },
  {
    mistake: 'a foreign key with a null seems to be broken',
    file: SEARCHES,
    text: 'cells[names.indexOf(name)] !== null',
    replacement: 'cells[names.indexOf(name)] !== 7',
    tests: TESTS,
    promise: 'names the table and the properties for an insert of its own',
  },
  {
    mistake: 'rows that refer to a changed value are not found',
    file: SEARCHES,
    text: 'table.updateKeys.filter(',
    replacement: 'table.updateKeys.slice(0, 0).filter(',
    tests: TESTS,
    promise: 'names the table and the properties for a change of a code',
  },
];
