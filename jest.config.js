import { availableParallelism } from 'node:os';
import { mapPackages } from './test/support/run/packages/bundle-packages.js';

const common = {
  roots: ['<rootDir>/test', '<rootDir>/client'],
  testEnvironment: '<rootDir>/test/support/run/node-environment.js',
  // Not in the directory of temporary files, where a run leaves nothing.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { ...(await mapPackages()), '^(\\.{1,2}/.*)\\.js$': '$1' },
  // `tsc --noEmit` checks the types; checking them here as well would double the time to the first test.
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, diagnostics: false }] },
  globalTeardown: '<rootDir>/test/support/run/end-run.js',
};

/**
 * `npm test` without a pattern: everything but the long files on SQLite, and on PostgreSQL only the files whose results can
 * differ by database. `npm run test:all` runs every file on SQLite, and on PostgreSQL those over HTTP that use a database.
 */
const daily = process.env.TEST_SELECTION === 'daily';
const ON_POSTGRES_DAILY = [
  '{database,postgres}/**/*',
  'api/list-pets/*',
  'api/create-pet/create-pet',
  'api/{get-pet,int64,changing-keys}',
];
const LONG = daily ? ['\\.long\\.(e2e-)?spec\\.ts$'] : [];

/** These tests of processes work on a database file; `test/postgres` has their counterparts for a server. */
const ON_SQLITE_ONLY = ['database-failures', 'database-files/.*', 'first-start', 'migrations', 'start-failures'];

/** The commands of the repository, and tests over HTTP that neither store nor read anything. */
const WITHOUT_DATABASE = '<rootDir>/test/(project|platform/(constructs|streams|nest/(headers|written)))/';

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...common,
      displayName: 'sqlite',
      testMatch: ['<rootDir>/{client/,}test/**/*.{spec,e2e-spec}.ts'],
      testPathIgnorePatterns: ['/test/postgres/', ...LONG],
      globalSetup: '<rootDir>/test/support/run/create-run-directory.js',
    },
    {
      ...common,
      displayName: 'postgres',
      testMatch: (daily ? ON_POSTGRES_DAILY : ['**/*']).map((files) => `<rootDir>/test/${files}.e2e-spec.ts`),
      testPathIgnorePatterns: [
        WITHOUT_DATABASE,
        ...ON_SQLITE_ONLY.map((name) => `/test/process/${name}(\\.long)?\\.e2e-spec\\.ts$`),
        ...LONG,
      ],
      setupFiles: ['<rootDir>/test/support/run/on-postgres.js'],
      globalSetup: '<rootDir>/test/support/run/start-postgres.js',
    },
  ],
  reporters: [
    'default',
    '<rootDir>/test/support/contract/coverage/contract-coverage-reporter.js',
    '<rootDir>/test/faults/promises-reporter.js',
  ],
  // Milliseconds that pass only in a failure, however slow the machine is.
  testTimeout: 60_000,
  // More than cores, because many tests wait for a process or a timeout. Jest reads "150%" as 150 workers.
  maxWorkers: availableParallelism() + 1,
  // Node never frees the modules of a test file. A worker with 2 GB is slow, and too slow to exit in time.
  workerIdleMemoryLimit: '800MB',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text', 'lcov'],
  collectCoverageFrom: ['src/**/*.ts'],
};
