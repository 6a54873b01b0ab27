import { expect, it } from '@jest/globals';
import { byOwnText } from '../../../src/platform/contract/path-template.js';

const FILE = new URL('../../../tools/contract-diff/operations/routing.mjs', import.meta.url).href;
const tool = (await import(FILE)) as { readonly byOwnText: typeof byOwnText };

it('npm run contract:diff orders paths as the service does', () => {
  const segments = ['a', 'bc', '{id}', '{id}.csv', 'a-{id}', '{id}-{key}'];
  const paths = segments.flatMap((one) => ['', ...segments].map((other) => `/${one}/${other}`));
  for (const order of [paths, paths.toReversed()]) {
    expect(order.toSorted(tool.byOwnText)).toEqual(order.toSorted(byOwnText));
  }
});
