import { expect, it } from '@jest/globals';

const { sizesUpTo } = (await import(new URL('../../../bench/modes/growth.mjs', import.meta.url).href)) as {
  readonly sizesUpTo: (pets: number) => number[];
};

it.each([
  [10_000_000, [1_000, 100_000, 1_000_000, 10_000_000]],
  [5_000_000, [1_000, 100_000, 1_000_000, 5_000_000]],
  [100_000, [1_000, 100_000]],
  [1_001, [1_000, 1_001]],
])('npm run bench:growth -- --pets %d measures that many pets, too', (pets, sizes) => {
  expect(sizesUpTo(pets)).toEqual(sizes);
});
