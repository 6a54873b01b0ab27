import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readContract } from '../../contract/contract.js';
import { type Cell, contractCells } from '../../support/contract/coverage/contract-cells.js';
import { readPassages } from './specification-text.js';

const OPERATION = /^(GET|POST) (\/\S*) \(operation `(\w+)`\)/;
const INT64 = ['-2^63', 'rejected -2^63-1', '2^63-1', 'rejected 2^63', 'rejected non-integer'];

const text = readFileSync(new URL('../../../docs/pet-store-specification.md', import.meta.url), 'utf8');
const rows = readPassages(text).map(({ heading, text: row }) => ({ heading, cells: row.split(' · ') }));
const statuses = [.../^Allowed values: (.*)\.$/m.exec(text)![1]!.matchAll(/`(\w+)`/g)].map(([, value]) => value!);
/** `listPets GET /pets` by `GET /pets`. */
const subjects = new Map(
  rows.flatMap(({ heading }) => {
    const [, method, path, name] = OPERATION.exec(heading) ?? [];
    return name === undefined ? [] : [[`${method} ${path}`, `${name} ${method} ${path}`]];
  }),
);

/** The values that the tests must send for a field or a parameter, named as the coverage names them. */
function valuesOf([, type = '', ...others]: readonly string[], inBody: boolean): string[] {
  const [, minimum, maximum, fallback] = /minimum (\d+), maximum (\d+), default (\d+)/.exec(others.join()) ?? [];
  const isRequired = others.slice(0, -1).includes('yes');
  return [
    ...(isRequired ? (inBody ? ['rejected omitted'] : []) : [fallback ? `omitted (${fallback})` : 'omitted']),
    ...(type === 'PetStatus' ? [...statuses, 'rejected unknown'] : []),
    ...(type === 'string' ? ['given', 'rejected non-string'] : []),
    ...(others[0] === 'int64' ? INT64 : []),
    ...(minimum ? [minimum, `rejected ${Number(minimum) - 1}`, maximum!, `rejected ${Number(maximum) + 1}`] : []),
  ];
}

/** The cells that the tables of the specification require. */
function requiredCells(): string[] {
  return rows.flatMap(({ heading, cells }) => {
    const [first = ''] = cells;
    const [, method, path] = OPERATION.exec(heading) ?? [];
    const subject = subjects.get(`${method} ${path}`);
    if (heading === 'Errors' && cells.length === 3) {
      const among = cells[2] === 'all' ? [...subjects.values()] : [subjects.get(cells[2]!.replaceAll('`', ''))!];
      return among.map((one) => `${one} status ${first}`);
    }
    if (heading.startsWith('NewPet (') && cells.length > 3)
      return valuesOf(cells, true).map((value) => `createPet POST /pets body ${first} ${value}`);
    if (subject === undefined || cells.length < 3) return [];
    if (/^\d{3}$/.test(first)) return [`${subject} status ${first}`];
    const place = path!.includes(`{${first}}`) ? 'path' : 'query';
    return valuesOf(cells, false).map((value) => `${subject} ${place} ${first} ${value}`);
  });
}

const spelled = ({ subject, aspect, name, rejected }: Cell): string =>
  `${subject} ${aspect} ${rejected ? 'rejected ' : ''}${name}`;

describe('the contract coverage', () => {
  it('requires every status, bound and value of the tables of the specification', () => {
    const covered = new Set(contractCells(readContract()).map(spelled));
    const required = requiredCells();
    expect(required.length).toBeGreaterThan(40);
    expect(required.filter((cell) => !covered.has(cell))).toEqual([]);
  });
});
