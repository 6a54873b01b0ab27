const ARRAYS = 'src/platform/contract/schemas/array-check.ts';
const COMPILE = 'src/platform/contract/schemas/compile-check.ts';
const OBJECTS = 'src/platform/contract/schemas/object-check.ts';
const UNIONS = 'src/platform/contract/schemas/union-check.ts';
const CONSTRUCTS = 'platform/constructs/constructs';

/** Which values match the schemas of the contract. */
export default [
  {
    mistake: 'a message does not say which item is wrong',
    file: ARRAYS,
    text: 'inside(place, index)',
    replacement: 'place',
    tests: CONSTRUCTS,
    promise: 'acts: Schema: items, each of them',
  },
  {
    mistake: 'the wording of the contract is ignored',
    file: COMPILE,
    text: 'return demand === undefined ? check :',
    replacement: 'return demand ?? true ? check :',
    tests: CONSTRUCTS,
    promise: 'acts: Schema: x-demand',
  },
  {
    mistake: 'a value may match several alternatives of oneOf',
    file: UNIONS,
    text: '(count: number) => count === 1',
    replacement: '(count: number) => count > 0',
    tests: CONSTRUCTS,
    promise: 'acts: Schema: oneOf',
  },
  {
    mistake: 'defaults inside an alternative are forgotten',
    file: UNIONS,
    text: 'complete: (value: unknown) => matching(value)[0]?.complete?.(value) ?? value,',
    replacement: 'complete: (value: unknown) => value,',
    tests: 'unit/schema-checks',
    promise: 'are those of the alternative that matches: oneOf',
  },
  {
    mistake: 'defaults of an alternative that a discriminator chooses are forgotten',
    file: UNIONS,
    text: 'complete: (value: unknown) => chosen(value)?.complete?.(value) ?? value,',
    replacement: 'complete: (value: unknown) => value,',
    tests: 'unit/schema-checks',
    promise: 'are those of the alternative that the discriminator chooses',
  },
  {
    mistake: 'undeclared members of a request are accepted',
    file: OBJECTS,
    text: `return others?.value === false && direction === 'request' ? UNDECLARED : undefined;`,
    replacement: 'return undefined;',
    tests: CONSTRUCTS,
    promise: 'acts: Schema: additionalProperties false',
  },
  {
    mistake: 'a handler that changes a default changes it for all requests',
    file: 'src/platform/contract/schemas/object-members.ts',
    text: `typeof fallback === 'object' ? structuredClone(fallback) : fallback`,
    replacement: 'fallback',
    tests: 'unit/schema-checks',
    promise: 'are new for each value, so that a handler may change them',
  },
];
