/** Whether every test of the daily suite runs, or every test there is. */
export function isWholeRun(config) {
  return !(
    process.env.TEST_ENGINES ||
    config.testPathPatterns.isSet() ||
    config.testNamePattern ||
    config.findRelatedTests ||
    config.onlyChanged ||
    config.onlyFailures ||
    config.shard ||
    config.watch ||
    config.watchAll
  );
}
