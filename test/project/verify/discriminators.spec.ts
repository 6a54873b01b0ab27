import { describe, expect, it } from '@jest/globals';

const FOLDER = new URL('../../../tools/verify/', import.meta.url).href;
const { readOperations } = (await import(`${FOLDER}contract.mjs`)) as {
  readonly readOperations: (text: string) => object[];
};
const { differencesOf } = (await import(`${FOLDER}differences.mjs`)) as {
  readonly differencesOf: (operation: object, response: object, status: number) => string[];
};

/** A dog is valid as a cat, too, and a cat without lives as a dog. */
const contractWith = (alternatives: string) => `
openapi: 3.0.3
paths:
  /animals:
    get:
      operationId: listAnimals
      responses:
        200:
          description: d
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Animal'}}}
components:
  schemas:
    Animal: ${alternatives}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, required: [kind, size], properties: {kind: {type: string}, size: {type: integer}}}
`;

const REFERENCES = "[{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]";

function reportedOf(alternatives: string, ...animals: unknown[]): string[] {
  const [operation] = readOperations(contractWith(alternatives));
  const headers = new Headers({ 'content-type': 'application/json' });
  return animals.flatMap((animal) => differencesOf(operation!, { status: 200, json: [animal], headers }, 200));
}

describe.each(['oneOf', 'anyOf'])('npm run verify, with a response of %s and a discriminator', (keyword) => {
  const implicit = `{${keyword}: ${REFERENCES}, discriminator: {propertyName: kind}}`;
  const mapped = `{${keyword}: ${REFERENCES}, discriminator: {propertyName: kind, mapping: {tom: '#/components/schemas/Cat', tim: Cat, rex: Dog}}}`;

  it('compares the response with the alternative that the tag names, and no other', () => {
    expect(reportedOf(implicit, { kind: 'Cat', lives: 9 }, { kind: 'Dog', size: 1 }, { kind: 'Cat', size: 1 })).toEqual(
      [],
    );
    expect(
      reportedOf(implicit, { kind: 'Dog', lives: 9 }, { kind: 'Dog', size: 'big' }, { kind: 'Cat', lives: 'many' }),
    ).toEqual([
      "body/0 must have required property 'size'",
      'body/0/size must be integer',
      'body/0/lives must be integer',
    ]);
  });

  it('uses the names of a mapping, which replace those of the schemas', () => {
    expect(reportedOf(mapped, { kind: 'tom' }, { kind: 'tim', lives: 9 }, { kind: 'rex', size: 1 })).toEqual([]);
    expect(reportedOf(mapped, { kind: 'rex' }, { kind: 'tim', lives: 'many' }, { kind: 'Cat' })).toEqual([
      "body/0 must have required property 'size'",
      'body/0/lives must be integer',
      'body/0/kind must be equal to one of the allowed values: tom, tim, rex',
    ]);
  });

  it('reports an unknown tag, none, and what is no object', () => {
    expect(reportedOf(implicit, { kind: 'Cow', size: 1 }, { kind: 7, size: 1 }, { size: 1 }, null, 'Cat')).toEqual([
      'body/0/kind must be equal to one of the allowed values: Cat, Dog',
      'body/0/kind must be equal to one of the allowed values: Cat, Dog',
      "body/0 must have required property 'kind'",
      'body/0 must be object',
      'body/0 must be object',
    ]);
  });
});

describe('npm run verify, with a response of alternatives without a discriminator', () => {
  it('compares the structure', () => {
    expect(reportedOf(`{anyOf: ${REFERENCES}}`, { kind: 'Cow' })).toEqual([]);
    expect(reportedOf(`{oneOf: ${REFERENCES}}`, { kind: 'Cow', size: 1 })).toEqual([
      'body/0 must match exactly one schema in oneOf',
    ]);
  });
});
