import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { refuseArgument } from '../../tools/read-arguments.mjs';

/**
 * @typedef {object} Fault
 * @property {string} area The name of its table.
 * @property {string} mistake What is wrong, in a few words.
 * @property {string} file The file with the mistake.
 * @property {string} text What the mistake replaces. Occurs once in the file.
 * @property {string} replacement
 * @property {string} tests The part of a path that selects the test file. One of `postgres/` runs on PostgreSQL.
 * @property {'postgres'} [engine] For a test file of another folder that runs on PostgreSQL.
 * @property {string} promise A part of the full name of the test that promises to catch the mistake.
 */

const TABLES = new URL('faults/', import.meta.url);

const tablesOf = (directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .toSorted();

/** The faults that match any of the regular expressions; all of them without one. */
export async function selectFaults(patterns) {
  const expressions = patterns.map(expressionOf);
  const faults = [];
  for (const table of tablesOf(TABLES)) {
    const { default: rows } = await import(new URL(table, TABLES).href);
    faults.push(...rows.map((row) => ({ area: basename(table, '.mjs'), ...row })));
  }
  const selected = faults.filter(({ area, mistake, file, tests }) => {
    const texts = [area, mistake, file, tests];
    return expressions.length === 0 || expressions.some((expression) => texts.some((text) => expression.test(text)));
  });
  if (selected.length === 0) refuseArgument(`No fault matches ${patterns.join(' ')}.`);
  return selected;
}

function expressionOf(pattern) {
  try {
    return new RegExp(pattern, 'i');
  } catch (error) {
    return refuseArgument(`${error.message}.`);
  }
}

/** Why rows do not fit the code any more. */
export function problemsOf(faults, copy) {
  return faults.flatMap(({ area, mistake, file, text }) => {
    const count = copy.read(file).split(text).length - 1;
    return count === 1 ? [] : [`${area}: ${mistake}: ${file} contains the text of this fault ${count} times, not once`];
  });
}

/**
 * Rows whose test files all ran, and contain no test with the name of the promise.
 * `ran`: path and full names of the tests; `leftOut`: paths of the files that did not run.
 */
export function withoutTest(faults, ran, leftOut) {
  return faults.flatMap(({ area, mistake, tests, promise }) => {
    if (leftOut.some((path) => path.includes(tests))) return [];
    const isNamed = ran.some(({ path, names }) => path.includes(tests) && names.some((name) => name.includes(promise)));
    return isNamed ? [] : [`${area}: ${mistake}: no test in ${tests} has the name "${promise}"`];
  });
}
