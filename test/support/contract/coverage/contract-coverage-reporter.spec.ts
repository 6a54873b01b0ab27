import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ContractCoverageReporter from './contract-coverage-reporter.js';

const WHOLE_RUN = { testPathPatterns: { isSet: () => false } };
const CELLS = [
  { subject: 'list GET /', aspect: 'status', name: '200' },
  { subject: 'list GET /', aspect: 'query limit', name: '1', rejected: false },
  { subject: 'list GET /', aspect: 'query limit', name: '0', rejected: true },
];

const run = (config: object): Error | undefined => {
  const reporter = new ContractCoverageReporter(config);
  reporter.onRunComplete();
  return reporter.getLastError();
};

describe('ContractCoverageReporter', () => {
  const { TEST_RUN_DIRECTORY: runDirectory, TEST_ENGINES: engines } = process.env;
  let directory: string;
  let printed: string[];

  const fill = (cells: readonly (object & { status: number })[]): void => {
    const coverage = join(directory, 'contract-coverage');
    mkdirSync(coverage);
    writeFileSync(join(coverage, 'cells.json'), JSON.stringify(CELLS));
    writeFileSync(join(coverage, 'filled-1.jsonl'), cells.map((cell) => `${JSON.stringify(cell)}\n`).join(''));
  };
  beforeEach(() => {
    directory = mkdtempSync(join(runDirectory ?? tmpdir(), 'reporter-'));
    process.env.TEST_RUN_DIRECTORY = directory;
    delete process.env.TEST_ENGINES;
    printed = [];
    for (const method of ['log', 'error'] as const) {
      jest.spyOn(console, method).mockImplementation((text: string) => void printed.push(text.trim()));
    }
  });

  afterEach(() => {
    jest.restoreAllMocks();
    process.env.TEST_RUN_DIRECTORY = runDirectory;
    if (engines !== undefined) process.env.TEST_ENGINES = engines;
    rmSync(directory, { recursive: true });
  });

  it('passes a run of all tests with full coverage', () => {
    fill([
      { ...CELLS[0], status: 200 },
      { ...CELLS[1], status: 404 },
      { ...CELLS[1], status: 200 },
      { ...CELLS[2], status: 400 },
    ]);
    expect(run(WHOLE_RUN)).toBeUndefined();
    expect(printed).toEqual([
      'list GET /\n  status       200\n  query limit  1 → 200/404   0 → 400',
      'Contract coverage: all of 3 cells.',
    ]);
  });

  it('fails a run of all tests that misses a cell, and names the cell', () => {
    fill([{ ...CELLS[1], status: 200 }]);
    expect(run(WHOLE_RUN)).toEqual(new Error('Contract coverage: 2 of 3 cells were never exercised.'));
    expect(printed).toEqual([
      'list GET /\n  status       200 NEVER\n  query limit  1 → 200   0 → NEVER',
      'Contract coverage: 2 of 3 cells were never exercised.\n' +
        '  list GET /: status 200 was never returned\n' +
        '  list GET /: query limit 0 was never rejected',
    ]);
  });

  it('fails a run of all tests that received no response', () => {
    expect(run(WHOLE_RUN)).toEqual(new Error('Contract coverage: the tests received no response from the service.'));
  });

  it.each<[string, object]>([
    ['of some files', { testPathPatterns: { isSet: () => true } }],
    ['of some tests', { ...WHOLE_RUN, testNamePattern: 'limit' }],
    ['of changed files', { ...WHOLE_RUN, onlyChanged: true }],
    ['of one shard', { ...WHOLE_RUN, shard: { shardCount: 2, shardIndex: 1 } }],
  ])('does not check a run %s', (_, config) => {
    expect(run(config)).toBeUndefined();
    expect(printed).toEqual(['Contract coverage is not checked: only some tests were selected.']);
  });

  it('does not check a run on one database', () => {
    process.env.TEST_ENGINES = 'sqlite';
    expect(run(WHOLE_RUN)).toBeUndefined();
  });
});
