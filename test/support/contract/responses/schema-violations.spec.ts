import { describe, expect, it } from '@jest/globals';
import type { Schema } from '../../../contract/open-api.js';
import { schemaViolations } from './schema-violations.js';

const NONE = 'it matches none of the alternatives';
const objectOf = (name: string, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  ...more,
});
const ANY: Schema = { anyOf: [objectOf('a'), objectOf('b', { required: ['b'] })] };
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
    [[], { type: 'array', minItems: 1 }, ['it has fewer than 1 items']],
    [[1, 2], { type: 'array', items: { type: 'integer' }, maxItems: 1 }, ['it has more than 1 items']],
    [1, { oneOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [1, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, ['it does not match exactly one of the alternatives']],
    [true, { anyOf: [{ type: 'integer' }, { type: 'number' }] }, [NONE]],
    [{ a: 'x', b: 'y' }, ANY, []],
    [{ a: 'x' }, ANY, []],
    [{ a: 'x', c: 'y' }, ANY, [NONE]],
    [{ a: 'x', b: 1 }, ANY, [NONE]],
    [{ a: 'x', b: 'y' }, { anyOf: [objectOf('a', { additionalProperties: false }), objectOf('b')] }, [NONE]],
    [
      { a: 'x', b: 'y' },
      { oneOf: [objectOf('a'), objectOf('b')] },
      ['it does not match exactly one of the alternatives'],
    ],
    [2, { exclusiveMinimum: 2 }, ['it is not greater than 2']],
    [2n, { exclusiveMaximum: 2n }, ['it is not less than 2']],
    [9007199254740993n, { type: 'integer', multipleOf: 2 }, ['it is not a multiple of 2']],
    [0.3, { type: 'number', multipleOf: 0.1 }, []],
    [0.35, { type: 'number', multipleOf: 0.1 }, ['it is not a multiple of 0.1']],
    [[{ a: 1 }, { a: 1 }], { uniqueItems: true, items: {} }, ['it has equal items']],
    [['1', 1], { uniqueItems: true, items: {} }, []],
    [{ a: 1 }, { additionalProperties: true, minProperties: 2 }, ['it has fewer than 2 members']],
    [{ a: 1, b: 2 }, { additionalProperties: true, maxProperties: 1 }, ['it has more than 1 members']],
    [{ a: 1, b: 'x' }, { additionalProperties: { type: 'integer' } }, ['it.b is not of type integer']],
    [{ a: 1 }, { additionalProperties: false }, ['it.a is not declared']],
    [{ id: 1 }, { properties: { id: { type: 'integer', readOnly: true } } }, []],
    [{ key: 'a' }, { properties: { key: { type: 'string', writeOnly: true } } }, ['it.key is not declared']],
    [{}, { properties: { key: { type: 'string', writeOnly: true } }, required: ['key'] }, []],
    [3e-7, { type: 'number', multipleOf: 1e-7 }, []],
    [1.5e-7, { type: 'number', multipleOf: 0.01 }, ['it is not a multiple of 0.01']],
    [[1], { items: {}, minProperties: 2 }, []],
    [null, { type: 'string', nullable: true }, []],
    [null, { type: 'object' }, ['it is not of type object']],
    [[], { type: 'object' }, ['it is not of type object']],
    [{ a: [1, 'x'] }, { properties: { a: { items: { type: 'integer' } } } }, ['it.a[1] is not of type integer']],
    [{ toString: 1 }, { properties: {} }, ['it.toString is not declared']],
    [{}, { properties: {}, required: ['toString'] }, ['it lacks toString']],
  ])('checks %p against %p', (value, schema, violations) => {
    expect(schemaViolations(value, schema, 'it')).toEqual(violations);
  });

  it.each([
    ['date', '2028-02-29', '2030-02-29'],
    ['date-time', '2030-12-05T10:30:00.5+01:00', '2030-12-05T24:30:00'],
    ['email', 'ada@example.com', 'ada'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['hostname', 'example.com', 'example.com-'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
    ['ipv6', '::1', ':::1'],
    ['uri', 'https://example.com', '/things'],
    ['uri-reference', '/things/1?a=%20', '/things 1'],
    ['byte', 'AAE=', 'AAE'],
    ['double', 1.5, '1.5'],
  ])('checks the format %s', (format, valid, invalid) => {
    expect(schemaViolations(valid, { format }, 'it')).toEqual([]);
    expect(schemaViolations(invalid, { format }, 'it')).toEqual([`it is not a valid ${format}`]);
  });

  it.each<[string, Schema]>([
    ['if', { if: {} }],
    ['phone', { type: 'string', format: 'phone' }],
    ['not', { not: {} }],
  ])('throws for an unsupported keyword or value: %s', (name, schema) => {
    expect(() => schemaViolations('x', schema)).toThrow(`the tests cannot check the schema keyword or value ${name}`);
  });
});
