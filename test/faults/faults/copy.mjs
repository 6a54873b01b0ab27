const COPY = 'src/platform/copy/copy-database.ts';
const TABLE = 'src/platform/copy/postgres-bulk-table.ts';
const TESTS = 'postgres/copy/db-copy.long';
const INTERRUPTED = 'postgres/copy/db-copy-interrupted';

/** Copying a database to the other engine, and filling one. */
export default [
  {
    mistake: 'a target that is not empty is filled',
    file: COPY,
    text: 'if ((await table.greatestKey()) === undefined) continue;',
    replacement: 'continue;',
    tests: TESTS,
    promise: 'rejects a target that is not empty, and leaves it unchanged',
  },
  {
    mistake: 'the copy assigns ids that are taken',
    file: COPY,
    text: 'if (greatest !== undefined && greatest > last)',
    replacement: 'if (greatest !== undefined && greatest < last)',
    tests: TESTS,
    promise: 'produces a database that accepts the same keys and continues with the next id',
  },
  {
    mistake: 'rows stored in the source meanwhile are not noticed',
    file: COPY,
    text: 'if (!isSame) throw changedMeanwhile(from.name, source);',
    replacement: 'void isSame;',
    tests: INTERRUPTED,
    promise: 'reports that a pet was stored in a source on SQLite during the copy',
  },
  {
    mistake: 'rows that changed since an interruption stay',
    file: COPY,
    text: 'if (cleared.has(table.name)) await table.replace([]);',
    replacement: '',
    tests: INTERRUPTED,
    promise: 'continues where it was killed; until then no service starts on the partial copy',
  },
  {
    mistake: 'a service starts on a partial copy',
    file: 'src/platform/database/open-database.ts',
    text: 'if (!options.allowUnfinishedCopy) await',
    replacement: 'if (options.allowUnfinishedCopy === false) await',
    tests: INTERRUPTED,
    promise: 'continues where it was killed; until then no service starts on the partial copy',
  },
  {
    mistake: 'the row that cannot be stored is not named',
    file: TABLE,
    text: `'22021'`,
    replacement: `'22P05'`,
    tests: TESTS,
    promise: 'names the row that PostgreSQL cannot store',
  },
  {
    mistake: 'the database may be copied to itself',
    file: 'src/commands/db-copy.ts',
    text: 'if (names.from === names.to)',
    replacement: 'if (from === to)',
    tests: TESTS,
    promise: 'rejects the same database twice with one sentence',
  },
  {
    mistake: 'the speed includes the rows of an earlier run',
    file: 'src/platform/copy/progress.ts',
    text: '(done - this.done) / seconds',
    replacement: 'done / seconds',
    tests: 'unit/progress',
    promise: 'shows only the speed of this run when an earlier one was interrupted',
  },
  {
    mistake: 'the bar is one character too wide',
    file: 'src/platform/copy/progress.ts',
    text: 'this.stream.columns - 1',
    replacement: 'this.stream.columns + 1',
    tests: 'unit/progress',
    promise: 'fits into the width of the terminal',
  },
  {
    mistake: 'rows that changed during a copy are lost',
    file: 'src/platform/copy/bulk-table.ts',
    text: 'growsAtEnd: hasIds && table.isAppendOnly,',
    replacement: 'growsAtEnd: hasIds,',
    tests: 'postgres/copy/copy-changes',
    promise: 'is not finished when a row was updated meanwhile',
  },
  {
    mistake: 'the copy gives the id of a row that was deleted meanwhile again',
    file: 'src/platform/copy/copy-database.ts',
    text: '  await refuseLaterIds(source, sequences);\n',
    replacement: '  void refuseLaterIds;\n',
    tests: 'postgres/copy/copy-changes',
    promise: 'is not finished when a row was inserted and deleted meanwhile, until it runs again',
  },
];
