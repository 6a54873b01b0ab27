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
    text: 'complete?.(completed) ?? completed',
    replacement: 'completed',
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
    mistake: 'of an anyOf, only the first match is returned',
    file: 'src/platform/contract/responses/union-writer.ts',
    text: 'return otherTexts.length === 0 ?',
    replacement: 'return otherTexts.length >= 0 ?',
    tests: CONSTRUCTS,
    promise: 'acts: anyOf of objects, several of which match',
  },
  {
    mistake: 'an alternative of an anyOf writes what another one hides',
    file: 'src/platform/contract/responses/union-writer.ts',
    text: "if (keyword === 'anyOf') parts.forEach(refuseWriteOnly);",
    replacement: 'void refuseWriteOnly;',
    tests: CONSTRUCTS,
    promise: 'stops the start: writeOnly inside anyOf, in a response',
  },
  {
    mistake: 'a response matches two alternatives, because it leaves out what tells them apart',
    file: UNIONS,
    text: 'return exact.length === 1 ? exact : found;',
    replacement: 'return found;',
    tests: CONSTRUCTS,
    promise: 'acts: oneOf of objects that additionalProperties false tells apart',
  },
  {
    mistake: 'a member that one part calls writeOnly is returned',
    file: 'src/platform/contract/responses/serialiser.ts',
    text: 'properties.filter(({ key }) => !hidden.has(key))',
    replacement: `properties.filter((property) => hidden.size < 0 || !isFlagged(property, 'writeOnly'))`,
    tests: CONSTRUCTS,
    promise: 'acts: writeOnly in one part of allOf',
  },
  {
    mistake: 'defaults inside of a default are forgotten',
    file: 'src/platform/contract/schemas/object-members.ts',
    text: 'return check.complete ? check.complete(structuredClone(value.value)) : value.value;',
    replacement: 'return value.value;',
    tests: CONSTRUCTS,
    promise: 'acts: defaults inside of a default',
  },
  {
    mistake: 'a number that no double holds is written as an object',
    file: 'src/platform/values/exact-json.ts',
    text: '  if (value instanceof InexactNumber) return value.text;\n',
    replacement: '',
    tests: CONSTRUCTS,
    promise: 'acts: an undeclared number that no double holds',
  },
  {
    mistake: 'undeclared members of a request are accepted',
    file: OBJECTS,
    text: `return others?.value === false && direction !== 'response' ? UNDECLARED : undefined;`,
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
