import { expect, it } from '@jest/globals';

const importOf = (file: string): Promise<unknown> => import(new URL(`../../../tools/${file}`, import.meta.url).href);
const { shown } = (await importOf('contract/document.mjs')) as { readonly shown: (value: unknown) => string };
const { memberDifferences } = (await importOf('verify/exact-json.mjs')) as {
  readonly memberDifferences: (actual: object, expected: object) => string[];
};
const { comment } = (await importOf('contract-client/comment.mjs')) as {
  readonly comment: (schema: object) => string;
};

const LARGEST = 9223372036854775807n;

it('npm run contract:diff shows every digit of an integer inside a value', () => {
  expect(shown({ ids: [LARGEST, 'a'] })).toBe('{"ids":[9223372036854775807,"a"]}');
});

it('npm run verify shows an integer inside a value as a number', () => {
  expect(memberDifferences({ ids: [LARGEST] }, { ids: [] })).toEqual(['ids is [9223372036854775807] instead of []']);
});

it('npm run contract:client writes every digit of a default value', () => {
  expect(comment({ default: [LARGEST] })).toBe('/** @default [9223372036854775807] */\n');
});
