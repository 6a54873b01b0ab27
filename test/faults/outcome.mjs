import { runTests } from './run-tests.mjs';

export const CAUGHT = 'caught';
const BY_ANOTHER_TEST = 'caught by another test';
const BY_TIMEOUT = 'caught by a timeout';
const SURVIVED = 'survived';
const FAILS_ALONE = 'fails alone, also without the fault';

const engineOf = ({ tests, engine }) => engine ?? (tests.startsWith('postgres/') ? 'postgres' : 'sqlite');

/** Why rows would prove nothing: their tests are missing, or fail even without the fault. */
export async function uncaughtWithoutFault(faults, copy) {
  const problems = [];
  for (const engine of ['sqlite', 'postgres']) {
    const rows = faults.filter((fault) => engineOf(fault) === engine);
    if (rows.length === 0) continue;
    const distinct = (texts) => [...new Set(texts)];
    const files = distinct(rows.map(({ tests }) => tests));
    process.stderr.write(`Running the tests in ${files.length} files on ${engine} without a fault ...\n`);
    const ran = await runTests(copy, engine, files, distinct(rows.map(({ promise }) => promise)));
    const [{ isRun, message } = {}] = ran;
    if (isRun) {
      problems.push(`The run of the tests on ${engine} without a fault has no results: ${message}`);
      continue;
    }
    for (const { area, mistake, promise } of rows) {
      const named = ran.filter(({ name }) => name.includes(promise));
      const failed = named.find(({ isFailed }) => isFailed);
      if (named.length === 0) problems.push(`${area}: ${mistake}: no test has the name "${promise}"`);
      else if (failed) problems.push(`${area}: ${mistake}: "${promise}" fails without the fault: ${failed.message}`);
    }
  }
  return problems;
}

/** Runs the test that names the promise, and the rest of its file only if that one does not fail. */
export async function outcomeOf(fault, copy) {
  const promised = classify(await runTests(copy, engineOf(fault), [fault.tests], [fault.promise]), fault);
  if (promised.outcome !== SURVIVED) return promised;
  return classify(await runTests(copy, engineOf(fault), [fault.tests]), fault);
}

/** Runs the test that caught a fault once more, without it: one that needs others of its file fails alone, whatever is planted. */
export function createConfirmation(copy) {
  const alone = new Map();
  return async (fault, outcome) => {
    if (outcome.outcome !== CAUGHT) return outcome;
    const { tests, promise } = fault;
    const key = JSON.stringify([engineOf(fault), tests, promise]);
    if (!alone.has(key)) alone.set(key, await runTests(copy, engineOf(fault), [tests], [promise]));
    const named = alone.get(key).filter(({ name, isRun }) => isRun || name.includes(promise));
    const failed = named.find(({ isFailed }) => isFailed);
    const passes = named.length > 0 && !failed;
    return passes ? outcome : { outcome: FAILS_ALONE, by: failed?.name, message: failed?.message };
  };
}

function classify(tests, { promise }) {
  const failed = tests.filter(({ isFailed }) => isFailed);
  if (failed.length === 0) return { outcome: SURVIVED };
  const inTime = failed.filter(({ isTimeout }) => !isTimeout);
  if (inTime.length === 0) return { outcome: BY_TIMEOUT, by: failed[0].name, message: failed[0].message };
  const named = inTime.find(({ name }) => name.includes(promise));
  const { name: by, message } = named ?? inTime[0];
  return { outcome: named ? CAUGHT : BY_ANOTHER_TEST, by, message };
}
