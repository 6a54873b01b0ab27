const common = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Types are checked by `tsc --noEmit`; checking them here as well would double the time to the first test.
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, diagnostics: false }] },
  globalTeardown: '<rootDir>/test/support/run/end-run.js',
};

/** What is about a file; the like of it about a server is in `test/postgres`. */
const ON_SQLITE_ONLY = ['database-failures', 'first-start', 'migrations', 'start-failures'];

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...common,
      displayName: 'sqlite',
      testMatch: ['<rootDir>/test/**/*.{spec,e2e-spec}.ts'],
      testPathIgnorePatterns: ['/test/postgres/'],
      globalSetup: '<rootDir>/test/support/run/create-run-directory.js',
    },
    {
      ...common,
      displayName: 'postgres',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      testPathIgnorePatterns: ON_SQLITE_ONLY.map((name) => `/test/process/${name}\\.e2e-spec\\.ts$`),
      setupFiles: ['<rootDir>/test/support/run/on-postgres.js'],
      globalSetup: '<rootDir>/test/support/run/start-postgres.js',
    },
  ],
  reporters: ['default', '<rootDir>/test/support/contract/contract-coverage-reporter.js'],
  testTimeout: 15_000,
  // Many tests wait for a process or a timeout: one worker less than there are cores would leave the machine idle.
  maxWorkers: '100%',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text', 'lcov'],
  collectCoverageFrom: ['src/**/*.ts'],
};
