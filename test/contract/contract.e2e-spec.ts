import { describe, expect, it } from '@jest/globals';
import { compareDocuments } from './compare-documents.js';
import { operationsOf } from './contract.js';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import { addFixedHeaders } from './fixed-headers.js';
import { generatedDocument } from './generated-document.js';
import { addIdempotencyKeys } from './idempotency-keys.js';
import { readOpenApi, type Schema } from './open-api.js';
import { places } from './places.js';
import { startApp } from '../support/start-app.js';

const TEXT = { type: 'string' };

/** Forms of OpenAPI 3.1, and the same in OpenAPI 3.0, which @nestjs/swagger writes. */
const EQUAL_FORMS: readonly (readonly [of31: object, of30: object])[] = [
  [{ type: ['string', 'null'] }, { ...TEXT, nullable: true }],
  [
    { type: ['string', 'null'], enum: ['a', null] },
    { ...TEXT, enum: ['a'], nullable: true },
  ],
  [{ oneOf: [TEXT, { type: 'null' }] }, { allOf: [TEXT], nullable: true }],
  [{ oneOf: [TEXT, { type: 'integer' }, { type: 'null' }] }, { oneOf: [TEXT, { type: 'integer' }], nullable: true }],
  [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [{ const: 'a' }, { enum: ['a'] }],
  [{ type: ['string'] }, TEXT],
  [
    { type: ['string', 'null'], enum: ['a'] },
    { ...TEXT, enum: ['a'] },
  ],
  [{ additionalProperties: {} }, { additionalProperties: true }],
  [
    { oneOf: [TEXT], discriminator: { propertyName: 'kind', mapping: { a: 'A' } } },
    { oneOf: [TEXT], discriminator: { mapping: { a: 'OtherName' }, propertyName: 'kind' } },
  ],
  [
    { ...TEXT, examples: ['a'], $comment: 'b' },
    { ...TEXT, example: 'a' },
  ],
];

describe('openapi.yaml and the code', () => {
  it('describe the same interface', async () => {
    const { app } = await startApp();
    expect(compareDocuments(readOpenApi(), generatedDocument(app))).toEqual([]);
  });
});

describe('compareDocuments', () => {
  it('reports no difference between openapi.yaml and itself', () => {
    expect(compareDocuments(readOpenApi(), places().document)).toEqual([]);
  });

  it.each(EQUAL_FORMS)('reports no difference between forms of the same schema: %j and %j', (one, other) => {
    const [contract, code] = [one, other].map((name) => {
      const { document, newPet } = places();
      newPet.properties!.name = name as Schema;
      return document;
    });
    expect(compareDocuments(contract!, code!)).toEqual([]);
  });

  it('adds what the platform sends with a 409 that an operation with an Idempotency-Key declares itself', () => {
    const { document, create } = places();
    create.responses[409] = { content: create.responses[409]!.content! }; // declared
    expect(compareDocuments(readOpenApi(), document)).not.toEqual([]);
    expect(compareDocuments(readOpenApi(), addIdempotencyKeys(document))).toEqual([]);
  });

  it.each<[string, boolean, boolean, string[]]>([
    ['reports no difference when a contract declares the Vary that the platform adds', true, true, []],
    ['reports no difference when a contract leaves out the Vary that the platform adds', true, false, []],
    [
      'reports a Vary where requests choose no media type',
      false,
      true,
      ['GET /pets (listPets): response 401: header vary is only in openapi.yaml'],
    ],
  ])('%s', (_, hasCsv, hasVary, sentences) => {
    const [contract, code] = [places(), places()];
    // What other groups declare is compared above.
    for (const { document } of [contract, code]) document.paths = { '/pets': document.paths['/pets']! };
    const csv = { 'text/csv': { schema: TEXT } };
    if (hasCsv) for (const { list } of [contract, code]) Object.assign(list.responses[200]!.content!, csv);
    if (hasVary) contract.list.responses[401]!.headers!.Vary = { required: true, schema: TEXT };
    const completed = addFixedHeaders(code.document, { operations: operationsOf(contract.document) });
    expect(compareDocuments(contract.document, completed)).toEqual(sentences);
  });

  it('does not compare cookies, which the code cannot describe', () => {
    const { document, list } = places();
    list.parameters!.push({ name: 'session', in: 'cookie', schema: { type: 'string' } });
    expect(compareDocuments(document, places().document)).toEqual([]);
  });

  it('does not compare how many members a class has, which the code cannot describe', () => {
    const { document, newPet } = places();
    newPet.minProperties = 1;
    expect(compareDocuments(document, places().document)).toEqual([]);
  });

  it.each(DELIBERATE_DIFFERENCES)('reports: %s', (sentence, change) => {
    const code = places();
    change(code);
    expect(compareDocuments(readOpenApi(), code.document)).toEqual([sentence]);
  });
});
