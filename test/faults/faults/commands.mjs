const GATE = 'bench/measure/regression.mjs';
const SELECTION = 'project/commands/test-selection';

/** Commands of the repository. */
export default [
  {
    mistake: 'a command whose output nobody reads ends with a stack',
    file: 'tools/read-arguments.mjs',
    text: "process.stdout.on('error', endWithoutOutput);",
    replacement: '',
    tests: 'project/commands/arguments',
    promise: 'a command whose standard output is without a reader reports that in one sentence',
  },
  {
    mistake: 'the gate passes whatever the noise hides',
    file: GATE,
    text: '!fell && !(tolerance <= MOST_TOLERANCE)',
    replacement: 'false',
    tests: 'project/regression-gate',
    promise: 'is inconclusive when the noise hides that requests cost twice as much',
  },
  {
    mistake: 'the gate takes the noise of the median for that of the mean',
    file: GATE,
    text: 'DEVIATIONS * noise * deviationOfMedian(rounds.length)',
    replacement: '(DEVIATIONS * noise) / Math.sqrt(rounds.length)',
    tests: 'project/regression-gate',
    promise: 'tolerates three standard deviations of the median of 6 rounds',
  },
  {
    mistake: 'a pattern in an option of Jest leaves out long files',
    file: 'test/run.mjs',
    text: 'patterns.length + testPathPatterns.length === 0',
    replacement: 'patterns.length === 0',
    tests: SELECTION,
    promise: "Jest's own option for a pattern selects a long file",
  },
  {
    mistake: 'the SBOM omits packages that both development and production install',
    file: 'tools/sbom/packages.mjs',
    text: "path === '' || dev)",
    replacement: "path === '' || dev || packages[path].devOptional)",
    tests: 'packages/sbom',
    promise: 'lists every production package of this project',
  },
  {
    mistake: 'only Jest ends when a fault makes its worker run forever',
    file: 'test/faults/run-tests.mjs',
    text: "process.kill(-child.pid, 'SIGKILL')",
    replacement: 'child.kill()',
    tests: 'commands/fault-runs',
    promise: 'ends with its workers',
  },
  {
    mistake: 'a command does not say what to do about a full disk',
    file: 'src/platform/process/run-command.ts',
    text: "remedyOf(cause) ?? '$&'",
    replacement: "'$&'",
    tests: 'process/commands/full-disk',
    promise: 'a command whose SQLite file is on a full disk says to free space: seed',
  },
  {
    mistake: 'a backup does not say what to do about a full disk',
    file: 'src/platform/copy/backup-sqlite.ts',
    text: "error.code === 'SQLITE_FULL'",
    replacement: "error.code === ''",
    tests: 'process/commands/full-disk',
    promise: 'a command whose SQLite file is on a full disk says to free space: backup',
  },
  {
    mistake: 'a start does not say what to do about a full disk',
    file: 'src/platform/errors/remedy-of.ts',
    text: "  [/^SQLITE_FULL$/, 'free space on its disk'],\n",
    replacement: '',
    tests: 'process/commands/full-disk',
    promise: 'a command whose SQLite file is on a full disk says to free space: main.js',
  },
];
