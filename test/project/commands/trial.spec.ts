import { expect, it } from '@jest/globals';

const file = new URL('../../scale/cluster/service/fail-over.mjs', import.meta.url).href;
const { storedTwice } = (await import(file)) as {
  readonly storedTwice: (stored: ReadonlyMap<string, string>, round: string) => number;
};

const storedAs = (...names: readonly string[]) => new Map(names.map((name, index) => [String(index + 1), name]));

it.each([
  ['a pet that its creation stored twice', ['pet 0a-1-0', 'pet 0a-1-1', 'pet 0a-1-0'], 1],
  ['no pets of other clients', ['Rex', 'pet 0a-1-0', 'Rex', 'pet'], 0],
  ['no pets of another round', ['pet 0b-1-0', 'pet 0b-1-0', 'pet 0a-1-0'], 0],
])('npm run ha:trial counts as stored twice %s', (_, names, count) => {
  expect(storedTwice(storedAs(...names), '0a')).toBe(count);
});
