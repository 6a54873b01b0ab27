import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWholeRun } from '../../run/whole-run.js';

/** Prints which parts of openapi.yaml a run exercised; a run of all tests fails if one is missing. */
export default class ContractCoverageReporter {
  #globalConfig;
  #error;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  onRunComplete() {
    if (!isWholeRun(this.#globalConfig)) {
      console.log('\nContract coverage is not checked: only some tests were selected.');
      return;
    }
    const cells = readCells(join(process.env.TEST_RUN_DIRECTORY, 'contract-coverage'));
    if (cells.length === 0) {
      this.#error = new Error('Contract coverage: the tests received no response from the service.');
      console.error(`\n${this.#error.message}`);
      return;
    }
    const missing = cells.filter(({ statuses }) => statuses.length === 0);
    console.log(`\n${table(cells)}`);
    if (missing.length === 0) {
      console.log(`\nContract coverage: all of ${cells.length} cells.`);
      return;
    }
    this.#error = new Error(`Contract coverage: ${missing.length} of ${cells.length} cells were never exercised.`);
    console.error(`\n${[this.#error.message, ...missing.map(sentence)].join('\n  ')}`);
  }

  getLastError() {
    return this.#error;
  }
}

/** Every cell of the contract, with the statuses of the responses that filled it. */
function readCells(directory) {
  if (!existsSync(directory)) return [];
  const filled = new Map();
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(directory, file), 'utf8').trimEnd().split('\n')) {
      const { status, ...cell } = JSON.parse(line);
      filled.set(keyOf(cell), (filled.get(keyOf(cell)) ?? new Set()).add(status));
    }
  }
  const cells = JSON.parse(readFileSync(join(directory, 'cells.json'), 'utf8'));
  for (const cell of cells) cell.statuses = [...(filled.get(keyOf(cell)) ?? [])].toSorted((a, b) => a - b);
  return cells;
}

function keyOf({ subject, aspect, name }) {
  return `${subject}\n${aspect}\n${name}`;
}

function table(cells) {
  const width = Math.max(...cells.map(({ aspect }) => aspect.length));
  const lines = [];
  for (const [subject, ofSubject] of groupBy(cells, 'subject')) {
    lines.push(subject);
    for (const [aspect, ofAspect] of groupBy(ofSubject, 'aspect')) {
      lines.push(`  ${aspect.padEnd(width)}  ${ofAspect.map(shown).join('   ')}`);
    }
  }
  return lines.join('\n');
}

function shown({ aspect, name, statuses }) {
  if (aspect === 'status') return statuses.length > 0 ? name : `${name} NEVER`;
  return `${name} → ${statuses.length > 0 ? statuses.join('/') : 'NEVER'}`;
}

function sentence({ subject, aspect, name, rejected }) {
  if (aspect === 'status') return `${subject}: status ${name} was never returned`;
  return `${subject}: ${aspect} ${name} was never ${rejected ? 'rejected' : 'accepted'}`;
}

function groupBy(cells, member) {
  const groups = new Map();
  for (const cell of cells) groups.set(cell[member], [...(groups.get(cell[member]) ?? []), cell]);
  return groups;
}
