import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const FOLDER = new URL('../../../tools/contract-client/', import.meta.url).href;
type OfSchema<T> = (schema: unknown, document: object, place: string) => T;
const { typeOf } = (await import(`${FOLDER}types.mjs`)) as {
  readonly typeOf: (schema: unknown, direction: Direction, document: object, place: string) => string;
};
const { numberPlaces } = (await import(`${FOLDER}number-places.mjs`)) as { readonly numberPlaces: OfSchema<unknown> };
const { comment } = (await import(`${FOLDER}comment.mjs`)) as { readonly comment: (about: object) => string };

type Direction = 'request' | 'response';

const SCHEMAS = `
  Id: {type: integer, format: int64}
  Pet: {type: object, required: [id], properties: {id: {$ref: '#/components/schemas/Id'}, name: {type: string}}}
  Key: {type: object, properties: {id: {type: string, readOnly: true}, secret: {type: string, writeOnly: true}}}
  Keys: {type: array, items: {$ref: '#/components/schemas/Key'}}
  with/slash ~%: {type: object, properties: {id: {type: string, readOnly: true}}}
  Tree: {type: object, properties: {children: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
`;
const read = (text: string): unknown => parse(text, { intAsBigInt: true });
const documentOf = (openapi: string): object => ({ openapi, components: { schemas: read(SCHEMAS) } });
const ref = (name: string): string => `{$ref: '#/components/schemas/${name}'}`;
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('the type of a schema', () => {
  it.each([
    ['{}', 'unknown'],
    ['{type: string, format: date-time}', 'string'],
    ['{type: boolean}', 'boolean'],
    ['{type: number, format: double}', 'number'],
    ['{type: integer}', 'number | bigint'],
    ['{type: integer, minimum: 0}', 'number | bigint'],
    ['{type: integer, minimum: -9007199254740991, maximum: 9007199254740991}', 'number'],
    ['{type: integer, minimum: -9007199254740992, maximum: 1}', 'number | bigint'],
    ['{type: integer, minimum: 0, maximum: 9007199254740992}', 'number | bigint'],
    ['{type: integer, minimum: 0, maximum: 9223372036854775807}', 'number | bigint'],
    ['{type: integer, minimum: 0, maximum: 1e3, exclusiveMinimum: true}', 'number'],
    ['{type: integer, format: int32}', 'number'],
    ['{type: integer, format: int64}', 'bigint'],
    ['{type: integer, format: int64, nullable: true}', 'bigint | null'],
    ['{type: string, format: int64}', 'string'],
    ['{type: string, enum: [a, b]}', '"a" | "b"'],
    ['{type: string, nullable: true, enum: [a, null]}', '"a" | null'],
    ['{type: integer, enum: [1, -2]}', '1 | -2'],
    ['{type: integer, enum: [9007199254740993]}', '9007199254740993n'],
    ['{type: integer, format: int64, enum: [9007199254740993]}', '9007199254740993n'],
    ['{type: array, items: {type: integer, format: int64}}', 'Array<bigint>'],
    ['{items: {type: string}}', 'Array<string>'],
    ['{type: array}', 'Array<unknown>'],
    ['{type: object}', '{ [member: string]: unknown; }'],
    ['{type: object, additionalProperties: false}', 'Record<string, never>'],
    ['{additionalProperties: {type: integer, format: int64}}', '{ [member: string]: bigint; }'],
    [
      '{properties: {a: {type: string}, b-c: {type: integer}}, required: [a]}',
      '{ "a": string; "b-c"?: number | bigint; }',
    ],
    [
      '{properties: {a: {type: string}}, additionalProperties: {type: integer}}',
      '{ "a"?: string; [member: string]: number | bigint | string | undefined; }',
    ],
    ['{properties: {a: {type: string}}, additionalProperties: true}', '{ "a"?: string; [member: string]: unknown; }'],
    [ref('Pet'), 'Schemas["Pet"]'],
    [ref('with~1slash%20~0%25'), 'Schemas["with/slash ~%"]'],
    [`{allOf: [${ref('Pet')}, {properties: {a: {type: string}}}]}`, '(Schemas["Pet"]) & ({ "a"?: string; })'],
    [
      `{allOf: [${ref('Pet')}, {properties: {a: {}}}], required: [name]}`,
      'Requires<(Schemas["Pet"]) & ({ "a"?: unknown; }), "name">',
    ],
    [`{oneOf: [${ref('Pet')}, {type: string}]}`, '(Schemas["Pet"] | string)'],
    ['{anyOf: [{type: string}, {type: integer, format: int64}]}', '(string | bigint)'],
    [ref('Tree'), 'Schemas["Tree"]'],
    ['{type: string, pattern: a, minLength: 1, x-note: 1, description: b}', 'string'],
  ])('is for %s: %s', (schema, type) => {
    expect(oneLine(typeOf(read(schema), 'response', documentOf('3.0.3'), 'place'))).toBe(type);
  });

  it.each([
    ['{type: [string, "null"]}', 'string | null'],
    ['{type: [integer, string], format: int64}', 'bigint | string'],
    ['{const: a}', '"a"'],
    ['{type: integer, exclusiveMinimum: -1, exclusiveMaximum: 10}', 'number'],
    ['{type: integer, exclusiveMinimum: -1}', 'number | bigint'],
    [`{$ref: '#/components/schemas/Pet', properties: {a: {type: string}}}`, '(Schemas["Pet"]) & ({ "a"?: string; })'],
    ['true', 'unknown'],
    ['false', 'never'],
  ])('is in OpenAPI 3.1 for %s: %s', (schema, type) => {
    expect(oneLine(typeOf(read(schema), 'response', documentOf('3.1.0'), 'place'))).toBe(type);
  });

  it('ignores what stands beside a reference in OpenAPI 3.0, as the specification requires', () => {
    const schema = read(`{$ref: '#/components/schemas/Pet', properties: {a: {type: string}}}`);
    expect(typeOf(schema, 'response', documentOf('3.0.3'), 'place')).toBe('Schemas["Pet"]');
  });

  it.each<[Direction, string, string]>([
    ['request', '{properties: {a: {type: string, readOnly: true}, b: {type: string}}}', '{ "b"?: string; }'],
    ['response', '{properties: {a: {type: string, writeOnly: true}, b: {type: string}}}', '{ "b"?: string; }'],
    ['request', ref('Key'), 'RequestSchemas["Key"]'],
    ['response', ref('Key'), 'Schemas["Key"]'],
    ['request', ref('Keys'), 'RequestSchemas["Keys"]'],
    ['request', ref('Pet'), 'Schemas["Pet"]'],
    ['request', ref('Tree'), 'Schemas["Tree"]'],
    ['request', ref('with~1slash%20~0%25'), 'RequestSchemas["with/slash ~%"]'],
    [
      'request',
      `{allOf: [${ref('Key')}], properties: {tag: {}}, required: [id, secret]}`,
      'Requires<({ "tag"?: unknown; }) & (RequestSchemas["Key"]), "secret">',
    ],
    [
      'response',
      `{allOf: [${ref('Key')}], properties: {tag: {}}, required: [id, secret]}`,
      'Requires<({ "tag"?: unknown; }) & (Schemas["Key"]), "id">',
    ],
    [
      'request',
      `{allOf: [${ref('Key')}], properties: {tag: {}}, required: [id]}`,
      '({ "tag"?: unknown; }) & (RequestSchemas["Key"])',
    ],
  ])('in a %s is for %s: %s', (direction, schema, type) => {
    expect(oneLine(typeOf(read(schema), direction, documentOf('3.0.3'), 'place'))).toBe(type);
  });

  it.each([
    ['{patternProperties: {a: {}}}', 'the client cannot express "patternProperties"'],
    ['{type: array, prefixItems: []}', 'the client cannot express "prefixItems"'],
    ['{type: file}', '"file" is not a type'],
    ['{nullable: true}', '"nullable" requires a "type" beside it'],
    ['{type: integer, format: uint64}', 'an integer cannot have the format "uint64"; use int32, int64 or none'],
    ['{type: number, format: int64}', 'only an integer can have the format "int64"; use "type: integer"'],
    ['{enum: [{a: 1}]}', 'a value of "enum" or "const" must be text, a number, a boolean or null'],
    ['text', 'this schema is neither an object nor true'],
    [
      `{$ref: '#/components/responses/Pet'}`,
      '"$ref" must lead to components.schemas, not to #/components/responses/Pet',
    ],
  ])('is refused with its place for %s', (schema, reason) => {
    const type = () => typeOf(read(schema), 'response', documentOf('3.0.3'), 'paths./pets.get');
    expect(type).toThrow(`openapi.yaml paths./pets.get: ${reason}.`);
  });

  it('names the place of a refused part', () => {
    const schema = read('{properties: {a: {items: {type: file}}}}');
    const type = () => typeOf(schema, 'response', documentOf('3.0.3'), 'place');
    expect(type).toThrow('openapi.yaml place.properties.a.items: "file" is not a type.');
  });
});

describe('the places of numbers', () => {
  const ID = '{type: integer, format: int64}';

  it.each([
    ['{type: string}', undefined],
    ['{type: integer}', undefined],
    ['{properties: {a: {type: number}}}', { members: { a: 'double' } }],
    ['{oneOf: [{type: integer}, {type: number}]}', 'double'],
    ['{oneOf: [{type: integer}, {type: string}]}', undefined],
    [ID, 'int64'],
    ['{type: integer, format: int64, nullable: true}', 'int64'],
    [`{items: ${ID}}`, { items: 'int64' }],
    [`{properties: {a: ${ID}, b: {type: integer}}}`, { members: { a: 'int64' } }],
    [`{additionalProperties: {properties: {a: ${ID}}}}`, { rest: { members: { a: 'int64' } } }],
    [
      `{properties: {a: {type: integer}, b: ${ID}}, additionalProperties: ${ID}}`,
      { members: { a: {}, b: 'int64' }, rest: 'int64' },
    ],
    [ref('Pet'), { members: { id: 'int64' } }],
    [`{allOf: [${ref('Pet')}, {properties: {b: ${ID}}}]}`, { members: { id: 'int64', b: 'int64' } }],
    [`{oneOf: [${ref('Pet')}, {items: ${ID}}]}`, { members: { id: 'int64' }, items: 'int64' }],
    [`{anyOf: [{type: string}, ${ID}]}`, 'int64'],
    [`{properties: {constructor: ${ID}}}`, { members: { constructor: 'int64' } }],
    [`{properties: {a: {type: integer, format: int64, writeOnly: true}}}`, undefined],
  ])('are for %s: %j', (schema, places) => {
    expect(numberPlaces(read(schema), documentOf('3.0.3'), 'place')).toEqual(places);
  });

  it.each([
    [
      `{oneOf: [{properties: {a: ${ID}}}, {properties: {a: {type: number}}}]}`,
      'place.a: a value is an int64 in one schema and another number in the next; give it the same format in both',
    ],
    [
      `{oneOf: [{properties: {a: {type: number}}}, {additionalProperties: ${ID}}]}`,
      'place.a: a value is an int64 in one schema and another number in the next; give it the same format in both',
    ],
    [ref('Tree'), 'place.properties.children.items: the client cannot read a schema that contains itself'],
  ])('are refused for %s', (schema, reason) => {
    expect(() => numberPlaces(read(schema), documentOf('3.0.3'), 'place')).toThrow(`openapi.yaml ${reason}.`);
  });
});

describe('the comment of a schema', () => {
  it('has its description, its default and its deprecation, and cannot end early', () => {
    const about = { summary: 'A', description: 'b */ c\n', default: 20n, deprecated: true };
    expect(comment(about)).toBe('/**\n * A\n *\n * b *\\/ c\n *\n * @default 20\n *\n * @deprecated\n */\n');
  });

  it('has every digit of a default', () => {
    const about = { default: { ids: [9007199254740993n, 1, 'a', null] } };
    expect(comment(about)).toBe('/** @default {"ids":[9007199254740993,1,"a",null]} */\n');
  });

  it('is one line for one line, and nothing for nothing', () => {
    expect([comment({ description: 'A.' }), comment({})]).toStrictEqual(['/** A. */\n', '']);
  });
});
