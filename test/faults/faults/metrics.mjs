const COMMITS = 'src/platform/metrics/commit-metrics.ts';
const DATABASE = 'src/platform/metrics/database-metrics.ts';

/** What the metrics and the log report. */
export default [
  {
    mistake: 'the metrics report that no row waits for a commit',
    file: COMMITS,
    text: 'this.set(queuedItems());',
    replacement: 'this.set(0);',
    tests: 'postgres/server/metrics',
    promise: 'the metrics report the rows that wait while a commit is blocked, and the seconds that it takes',
  },
  {
    mistake: 'the metrics report commits in milliseconds',
    file: COMMITS,
    text: 'milliseconds / 1000',
    replacement: 'milliseconds',
    tests: 'postgres/server/metrics',
    promise: 'the metrics report the rows that wait while a commit is blocked, and the seconds that it takes',
  },
  {
    mistake: 'the metrics report that no statement waits for a connection',
    file: DATABASE,
    text: 'this.set({ server: name }, pool.waitingCount)',
    replacement: 'this.set({ server: name }, 0)',
    tests: 'postgres/server/metrics',
    promise: 'the metrics report used and idle connections, and the statements that wait for one',
  },
  {
    mistake: 'the metrics report idle connections as used',
    file: DATABASE,
    text: "state: 'idle' }, pool.idleCount);\n          this.set({ server: name, state: 'used'",
    replacement: "state: 'used' }, pool.idleCount);\n          this.set({ server: name, state: 'idle'",
    tests: 'postgres/server/metrics',
    promise: 'the metrics report used and idle connections, and the statements that wait for one',
  },
  {
    mistake: 'the metrics report every standby as fit',
    file: DATABASE,
    text: 'isFit ? 1 : 0',
    replacement: '1',
    tests: 'postgres/standbys/metrics',
    promise: 'the metrics report a standby that does not respond as unfit, and no lag',
  },
  {
    mistake: 'the metrics report requests in milliseconds',
    file: 'src/platform/metrics/request-metrics.ts',
    text: 'time / 1000',
    replacement: 'time',
    tests: 'observability/metrics.e2e-spec',
    promise: 'the metrics report the seconds of a request',
  },
  {
    mistake: 'the metrics blame the service for the time that a caller takes to send a body',
    file: 'src/platform/metrics/request-metrics.ts',
    text: ' - (request?.bodyWait ?? 0)',
    replacement: '',
    tests: 'observability/metrics.e2e-spec',
    promise: 'the metrics leave out the time in which a body arrives, which the log includes',
  },
  {
    mistake: 'the metrics report that no line of the log was dropped',
    file: 'src/platform/metrics/metrics.ts',
    text: 'this.inc(droppedLines());',
    replacement: 'this.inc(0);',
    tests: 'process/unwritable-log',
    promise:
      'loses whole lines only, counts them in the metrics, and reports their number once it can be written again',
  },
];
