import { expect, it } from '@jest/globals';

const { environmentOf } = (await import(new URL('../../../bench/contenders/server.mjs', import.meta.url).href)) as {
  readonly environmentOf: (port: number, connections: number, settings: object) => { readonly NODE_OPTIONS?: string };
};

it.each([
  [256, /^--no-opt$/],
  [512, /^--no-opt --import=\S+long-listen-queue\.mjs$/],
])('a --variant with NODE_OPTIONS keeps the long queue for %d connections', (connections, options) => {
  expect(environmentOf(8080, connections, { NODE_OPTIONS: '--no-opt' }).NODE_OPTIONS).toMatch(options);
});
