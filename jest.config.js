/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.{spec,e2e-spec}.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Types are checked by `tsc --noEmit`; checking them here as well would double the time to the first test.
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, diagnostics: false }] },
  globalSetup: '<rootDir>/test/support/create-run-directory.js',
  globalTeardown: '<rootDir>/test/support/remove-run-directory.js',
  reporters: ['default', '<rootDir>/test/support/contract-coverage-reporter.js'],
  testTimeout: 15_000,
  // Many tests wait for a process or a timeout: one worker less than there are cores would leave the machine idle.
  maxWorkers: '100%',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text', 'lcov'],
  collectCoverageFrom: ['src/**/*.ts'],
};
