import { describe, expect, it } from '@jest/globals';
import type { Schema } from '../../../contract/open-api.js';
import { schemaViolations } from './schema-violations.js';

const INT64: Schema = { type: 'integer', format: 'int64' };

describe('schemaViolations', () => {
  it.each<[unknown, Schema, string[]]>([
    [2n ** 63n - 1n, INT64, []],
    [-(2n ** 63n), INT64, []],
    [2n ** 63n, INT64, ['it is not a valid int64']],
    [-(2n ** 63n) - 1n, INT64, ['it is not a valid int64']],
    [1e19, INT64, ['it is not a valid int64']],
    [2 ** 31, { type: 'integer', format: 'int32' }, ['it is not a valid int32']],
    [9007199254740993n, { type: 'integer', maximum: 9007199254740992n }, ['it is greater than 9007199254740992']],
    [0, { type: 'integer', minimum: 1n }, ['it is less than 1']],
    ['😀', { type: 'string', minLength: 2, maxLength: 2 }, ['it is shorter than 2']],
    ['ab', { type: 'string', pattern: '^a$' }, ['it does not match ^a$']],
    [null, { type: 'string', nullable: true }, []],
    [null, { type: 'object' }, ['it is not of type object']],
    [[], { type: 'object' }, ['it is not of type object']],
    [{ a: [1, 'x'] }, { properties: { a: { items: { type: 'integer' } } } }, ['it.a[1] is not of type integer']],
    [{ toString: 1 }, { properties: {} }, ['it.toString is not declared']],
    [{}, { properties: {}, required: ['toString'] }, ['it lacks toString']],
  ])('checks %p against %p', (value, schema, violations) => {
    expect(schemaViolations(value, schema, 'it')).toEqual(violations);
  });

  it.each<[string, Schema]>([
    ['multipleOf', { type: 'integer', multipleOf: 2 }],
    ['date-time', { type: 'string', format: 'date-time' }],
    ['oneOf', { oneOf: [] }],
  ])('throws for an unsupported keyword or value: %s', (name, schema) => {
    expect(() => schemaViolations('x', schema)).toThrow(`the tests cannot check the schema keyword or value ${name}`);
  });
});
