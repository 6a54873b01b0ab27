import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileRequestCheck } from '../../src/platform/contract/requests/request-check.js';
import type { Check } from '../../src/platform/contract/schemas/check.js';
import { compileCheck } from '../../src/platform/contract/schemas/compile-check.js';
import { ContractNode } from '../../src/platform/contract/source/contract-node.js';
import { repetitions } from '../support/run/effort.js';

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'checks-')), 'schema.yaml');

/** JSON is valid YAML. */
function compile(schema: object): Check {
  writeFileSync(file, JSON.stringify(schema));
  return compileCheck(ContractNode.read(file).root, 'request');
}

const NAMES = ['a', 'b', 'constructor'] as const;
const small = fc.integer({ min: -3, max: 6 });
const size = fc.integer({ min: 0, max: 3 });

/** Members that are present or not. */
const some = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] });

const { schema } = fc.letrec<{ schema: object; leaf: object; object: object; array: object; union: object }>((tie) => ({
  leaf: fc.oneof(
    some({ minimum: small, maximum: small, multipleOf: fc.constantFrom(1, 2, 3) }).map((limits) => ({
      type: 'integer',
      ...limits,
    })),
    some({ minimum: small, maximum: small }).map((limits) => ({ type: 'number', ...limits })),
    some({ minLength: size, maxLength: size, pattern: fc.constantFrom('^a', 'b$', '^[ab]*$') }).map((limits) => ({
      type: 'string',
      ...limits,
    })),
    fc.constantFrom({ type: 'boolean' }, { type: 'string', enum: ['a', 'b'] }, { type: 'integer', enum: [1, 2] }),
    fc.constantFrom({ type: 'string', nullable: true }, { type: 'integer', nullable: true }),
  ),
  object: some({
    properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { noNullPrototype: true }),
    required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), tie('leaf')),
    minProperties: size,
    maxProperties: size,
  }).map((members) => ({ type: 'object', ...members })),
  array: fc
    .tuple(tie('schema'), some({ minItems: size, maxItems: size, uniqueItems: fc.boolean() }))
    .map(([items, limits]) => ({ type: 'array', items, ...limits })),
  union: fc
    .tuple(fc.constantFrom('oneOf', 'anyOf', 'allOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
    .map(([keyword, parts]) => ({ [keyword]: parts })),
  schema: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('object'), tie('array'), tie('union')),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    small,
    fc.constantFrom(0.5, 'a', 'b', 'ab', 'abc', '', '\u{1f408}', true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { noNullPrototype: true }),
  ),
}));

/** Schemas that no request could match, or that members would match which nobody receives: the start refuses them. */
const REFUSED = / forbids "\w+", which is required|undeclared members|no object can match/;

/** Tries another schema where the start refuses this one. */
function compiled(one: object): Check {
  try {
    return compile(one);
  } catch (error) {
    fc.pre(!REFUSED.test((error as Error).message));
    throw error;
  }
}

describe('the checks of schemas', () => {
  const ajv = new Ajv({ strict: false, ownProperties: true });

  it('agree with Ajv, and explain exactly the values that they reject', () => {
    let rejected = 0;
    let total = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 20 }), (one, values) => {
        const check = compiled(one);
        const judge = ajv.compile(one);
        for (const candidate of values) {
          const sentences: string[] = [];
          check.explain(candidate, 'it', sentences);
          const isValid = judge(candidate);
          expect([check.isValid(candidate), sentences.length === 0]).toEqual([isValid, isValid]);
          total += 1;
          rejected += isValid ? 0 : 1;
        }
      }),
      { numRuns: repetitions(4_000) },
    );
    // Both verdicts occur often enough to mean something.
    expect(rejected / total).toBeGreaterThan(0.3);
    expect(rejected / total).toBeLessThan(0.99);
  });
});

describe('the defaults of a schema', () => {
  const SIZED = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['Ball'] },
      tags: { type: 'array', items: { type: 'string' }, default: ['new'] },
    },
  };
  const OTHER = { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['Cube'] } } };
  const BALL = { kind: 'Ball', tags: ['new'] };

  it.each(['oneOf', 'anyOf'])('are those of the alternative that matches: %s', (keyword) => {
    expect(compile({ [keyword]: [OTHER, SIZED] }).complete?.({ kind: 'Ball' })).toEqual(BALL);
  });

  it('are those of the alternative that the discriminator chooses', () => {
    const check = compile({
      oneOf: ['Cube', 'Ball'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 'kind' },
      components: { schemas: { Ball: SIZED, Cube: OTHER } },
    });
    expect(check.complete?.({ kind: 'Ball' })).toEqual(BALL);
  });

  it('are new for each value, so that a handler may change them', () => {
    const check = compile(SIZED);
    const first = check.complete?.({ kind: 'Ball' }) as typeof BALL;
    first.tags.push('sold');
    expect(check.complete?.({ kind: 'Ball' })).toEqual(BALL);
  });
});

describe('the check of a request', () => {
  const OPEN = { type: 'object', properties: { a: { type: 'integer' } } };
  const CLOSED = { ...OPEN, additionalProperties: false };
  const counted = (...parts: object[]) => ({ allOf: [{ type: 'object', minProperties: 1 }, ...parts] });
  const unique = (...parts: object[]) => ({ type: 'array', uniqueItems: true, items: { allOf: parts } });

  it.each([
    ['an open alternative', counted({ oneOf: [CLOSED, OPEN] })],
    ['an open part', counted(OPEN)],
    ['items whose alternatives declare nothing', unique(OPEN, { anyOf: [{ type: 'object', required: ['a'] }] })],
    ['items with an open alternative', unique({ oneOf: [CLOSED, OPEN] })],
    ['items with an open object inside', unique({ ...CLOSED, properties: { o: { anyOf: [OPEN] } } })],
  ])('refuses to count what is undeclared in %s', (_, one) => {
    expect(() => compile(one)).toThrow('undeclared members');
  });

  it.each([
    ['closed alternatives', counted({ oneOf: [CLOSED, CLOSED] })],
    ['a closed part beside an open one', counted(OPEN, CLOSED)],
    ['an object without declarations', { type: 'object', minProperties: 1 }],
    [
      'closed alternatives beside text and null',
      counted({ oneOf: [CLOSED, { type: 'string' }, { type: 'string', nullable: true, enum: [null] }] }),
    ],
    ['items that are closed or text', unique({ anyOf: [CLOSED, { type: 'string' }] })],
    ['closed items with open alternatives', unique(CLOSED, { oneOf: [OPEN] })],
    ['items without declarations', unique({ type: 'object' })],
  ])('counts the members of %s', (_, one) => {
    expect(() => compile(one)).not.toThrow();
  });

  it('puts a deepObject in the place of its members', () => {
    const filter = { type: 'object', properties: { size: { type: 'integer' } } };
    writeFileSync(file, JSON.stringify({ name: 'filter', in: 'query', style: 'deepObject', schema: filter }));
    const { rest } = compileRequestCheck([ContractNode.read(file).root], undefined);
    const query = { 'filter[size]': '1', limit: '2' };
    expect(rest?.({ url: '', params: {}, headers: {}, query })).toEqual([]);
    expect(query).toEqual({ filter: { size: 1 }, limit: '2' });
  });
});
