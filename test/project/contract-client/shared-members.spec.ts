import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const { typeOf } = (await import(new URL('../../../tools/contract-client/types.mjs', import.meta.url).href)) as {
  readonly typeOf: (schema: unknown, direction: Direction, document: object, place: string) => string;
};

type Direction = 'request' | 'response';

const SCHEMAS = `
  NewClinic: {type: object, properties: {id: {type: integer, format: int64, readOnly: true}, code: {type: string, writeOnly: true}, capacity: {type: integer, format: int32}}}
  Named: {type: object, required: [name], properties: {name: {type: string}}}
  Strict: {type: object, required: [name, size], properties: {tag: {type: string}}}
  Clinic: {allOf: [{$ref: '#/components/schemas/NewClinic'}, {type: object, required: [id, capacity], properties: {booked: {type: boolean}}}]}
  Loop: {allOf: [{$ref: '#/components/schemas/Loop'}, {required: [a]}, {properties: {a: {type: string}}}]}
`;
const ref = (name: string): string => `{$ref: '#/components/schemas/${name}'}`;

function written(schema: string, direction: Direction, openapi = '3.0.3'): string {
  const document = { openapi, components: { schemas: parse(SCHEMAS) as unknown } };
  return typeOf(parse(schema), direction, document, 'place').replaceAll(/\s+/g, ' ');
}

describe('the type of a schema with parts', () => {
  it.each([
    [
      'required in another part',
      `{allOf: [${ref('NewClinic')}, {type: object, required: [capacity, booked], properties: {booked: {type: string}}}]}`,
      'Requires<(Schemas["NewClinic"]) & ({ "booked": string; }), "capacity">',
    ],
    [
      'required in a component that is another part',
      `{allOf: [{properties: {name: {type: string}}}, ${ref('Strict')}]}`,
      'Requires<({ "name"?: string; }) & (Schemas["Strict"]), "name" | "size">',
    ],
    [
      'required in a part of a part',
      `{allOf: [{properties: {a: {type: string}}}, {allOf: [{type: object, properties: {b: {type: string}}}, {required: [a, b]}]}]}`,
      'Requires<({ "a"?: string; }) & (Requires<({ "b"?: string; }) & (unknown), "a" | "b">), "a">',
    ],
    [
      'required without a type beside one part',
      `{allOf: [${ref('NewClinic')}], required: [capacity]}`,
      'Requires<Schemas["NewClinic"], "capacity">',
    ],
    [
      'required beside parts of which one requires it too',
      `{allOf: [${ref('Named')}, {type: object}], required: [name]}`,
      '(Schemas["Named"]) & ({ [member: string]: unknown; })',
    ],
    [
      'declared in two parts and required in one',
      `{allOf: [${ref('Named')}, {properties: {name: {type: string}}}]}`,
      '(Schemas["Named"]) & ({ "name"?: string; })',
    ],
    [
      'required in a component that has the parts',
      `{allOf: [${ref('Clinic')}, {properties: {a: {type: string}}}]}`,
      '(Schemas["Clinic"]) & ({ "a"?: string; })',
    ],
    [
      'required in each alternative besides null',
      `{type: object, properties: {a: {type: string}}, oneOf: [{required: [a, b]}, {required: [a]}, {type: string, nullable: true, enum: [null]}]}`,
      'Requires<({ "a"?: string; }) & ((unknown | unknown | null)), "a">',
    ],
    [
      'declared and required in each alternative',
      `{allOf: [{required: [name]}], oneOf: [${ref('Named')}, ${ref('Named')}]}`,
      '(unknown) & ((Schemas["Named"] | Schemas["Named"]))',
    ],
    [
      'declared in no part',
      `{allOf: [${ref('Strict')}, {}]}`,
      'Requires<(Schemas["Strict"]) & (unknown), "name" | "size">',
    ],
    ['required in the only part', `{allOf: [${ref('Strict')}]}`, 'Schemas["Strict"]'],
    ['part of itself', ref('Loop'), 'Schemas["Loop"]'],
  ])('requires a member in a response: %s', (_, schema, type) => {
    expect(written(schema, 'response')).toBe(type);
  });

  const both = '{type: object, required: [id, code, capacity], properties: {booked: {type: string}}}';
  const declaring = '{type: object, required: [id, code], properties: {id: {type: string}, code: {type: string}}}';
  const nested = `{allOf: [{required: [id]}, ${ref('Named')}]}`;
  it.each<[string, Direction, string, string]>([
    [
      'required in another part',
      'request',
      `{allOf: [${ref('NewClinic')}, ${both}]}`,
      'Requires<(RequestSchemas["NewClinic"]) & ({ "booked"?: string; }), "code" | "capacity">',
    ],
    [
      'required in another part',
      'response',
      `{allOf: [${ref('NewClinic')}, ${both}]}`,
      'Requires<(Schemas["NewClinic"]) & ({ "booked"?: string; }), "id" | "capacity">',
    ],
    [
      'required and declared again in another part',
      'request',
      `{allOf: [${ref('NewClinic')}, ${declaring}]}`,
      'Without<(RequestSchemas["NewClinic"]) & ({ "id": string; "code": string; }), "id">',
    ],
    [
      'required and declared again in another part',
      'response',
      `{allOf: [${ref('NewClinic')}, ${declaring}]}`,
      'Without<(Schemas["NewClinic"]) & ({ "id": string; "code": string; }), "code">',
    ],
    [
      'required in a part of another part',
      'request',
      `{allOf: [${ref('NewClinic')}, ${nested}]}`,
      'Without<(RequestSchemas["NewClinic"]) & (Requires<(unknown) & (Schemas["Named"]), "id">), "id">',
    ],
    [
      'declared again beside the component that leaves it out',
      'request',
      `{type: object, properties: {id: {type: string}}, allOf: [${ref('Clinic')}]}`,
      'Without<({ "id"?: string; }) & (RequestSchemas["Clinic"]), "id">',
    ],
    [
      'left out in one of two alternatives',
      'request',
      `{type: object, required: [id], oneOf: [${ref('NewClinic')}, {properties: {id: {type: string}}}]}`,
      'Requires<({ [member: string]: unknown; }) & ((RequestSchemas["NewClinic"] | { "id"?: string; })), "id">',
    ],
  ])('leaves out the members of the other direction: %s, in a %s', (_, direction, schema, type) => {
    expect(written(schema, direction)).toBe(type);
  });

  it('knows that OpenAPI 3.0 ignores, and 3.1 honours, what stands beside a reference', () => {
    const schema = `{allOf: [{$ref: '#/components/schemas/NewClinic', required: [capacity]}, {}]}`;
    expect(written(schema, 'response')).toBe('(Schemas["NewClinic"]) & (unknown)');
    expect(written(schema, 'response', '3.1.0')).toBe('(Requires<Schemas["NewClinic"], "capacity">) & (unknown)');
  });
});
