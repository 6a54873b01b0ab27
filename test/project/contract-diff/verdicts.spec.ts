import { describe, expect, it } from '@jest/globals';
import {
  BODY_CASES,
  DOCUMENT_CASES,
  OPERATION_CASES,
  PARAMETER_CASES,
  RESPONSE_CASES,
  TEXT_CASES,
  type DocumentCase,
} from './document-cases.js';
import {
  CASES_OF_3_1,
  COMPOSITION_CASES,
  MEMBER_CASES,
  VALUE_CASES,
  type SchemaCase,
  type Verdict,
} from './schema-cases.js';
import { ALTERNATIVES, EXCLUSIVE_CASES, OVERLAP_CASES, TAG_CASES } from './union-cases.js';

interface Change {
  readonly direction: string;
  readonly verdict: string;
  readonly place: string;
  readonly what: string;
}

const FOLDER = new URL('../../../tools/contract-diff/', import.meta.url).href;
const { compareDocuments } = (await import(`${FOLDER}compare.mjs`)) as {
  readonly compareDocuments: (before: unknown, after: unknown) => Change[];
};
const { parseDocument } = (await import(`${FOLDER}../contract/document.mjs`)) as {
  readonly parseDocument: (text: string) => unknown;
};

/** The worst verdict of each direction that changes. */
function verdictsOf(changes: readonly Change[]): Record<string, string> {
  const worst: Record<string, string> = {};
  for (const verdict of ['documentation', 'additive', 'breaking']) {
    for (const change of changes) if (change.verdict === verdict) worst[change.direction] = verdict;
  }
  return worst;
}

const THING = '{$ref: "#/components/schemas/Thing"}';

/** A document whose request and response have the schema. */
const withSchema = (schema: string, version: string): string => `
openapi: ${version}
paths:
  /things:
    post:
      requestBody: {content: {application/json: {schema: ${THING}}}}
      responses: {201: {content: {application/json: {schema: ${THING}}}}}
components: {schemas: {Thing: ${schema}, ${ALTERNATIVES}, Name: {type: string, not: {$ref: "#/components/schemas/Name"}}}}`;

/** A document with an operation. */
const withOperation = (operation: string): string => `
openapi: 3.0.3
paths: {/things: {get: ${operation}}}
components:
  schemas: {Error: {type: object, required: [code], properties: {code: {type: string}}}}
  securitySchemes:
    key: {type: http, scheme: bearer}
    sameKey: {type: http, scheme: bearer, description: The same.}
    login: {type: oauth2, flows: {}}`;

/** A change without a verdict for either direction is only another way to write the same. */
function verdictsFor(request: Verdict, response: Verdict): Record<string, string> {
  const verdicts = Object.entries({ request, response }).filter(([, verdict]) => verdict !== 'none');
  return verdicts.length > 0 ? Object.fromEntries(verdicts) : { document: 'documentation' };
}

function expectVerdicts(before: string, after: string, verdicts: Record<string, string>): void {
  const changes = compareDocuments(parseDocument(before), parseDocument(after));
  // With the changes, a failure shows what they are.
  expect({ verdicts: verdictsOf(changes), changes }).toEqual({ verdicts, changes });
}

describe.each<[string, string, readonly SchemaCase[]]>([
  ['members', '3.0.3', MEMBER_CASES],
  ['values', '3.0.3', VALUE_CASES],
  ['composition', '3.0.3', COMPOSITION_CASES],
  ['alternatives with a discriminator', '3.0.3', TAG_CASES],
  ['alternatives that overlap', '3.0.3', OVERLAP_CASES],
  ['alternatives that exclude each other', '3.0.3', EXCLUSIVE_CASES],
  ['schemas of OpenAPI 3.1', '3.1.0', CASES_OF_3_1],
])('npm run contract:diff judges %s, in requests and responses:', (_, version, cases) => {
  it.each(cases)('%s', (_title, before, after, request, response) => {
    expectVerdicts(withSchema(before, version), withSchema(after, version), verdictsFor(request, response));
  });
});

describe.each<[string, readonly DocumentCase[]]>([
  ['parameters', PARAMETER_CASES],
  ['request bodies', BODY_CASES],
  ['responses', RESPONSE_CASES],
  ['operations', OPERATION_CASES],
])('npm run contract:diff judges %s:', (_, cases) => {
  it.each(cases)('%s', (_title, before, after, verdicts) => {
    expectVerdicts(withOperation(before), withOperation(after), verdicts);
  });
});

describe('npm run contract:diff judges documents:', () => {
  it.each(DOCUMENT_CASES)('%s', (_, before, after, verdicts) => expectVerdicts(before, after, verdicts));
});

describe('npm run contract:diff tells where and how a contract changes:', () => {
  it.each(TEXT_CASES)('%s becomes %s', (before, after, expected) => {
    const changes = compareDocuments(parseDocument(withOperation(before)), parseDocument(withOperation(after)));
    expect(changes.map(({ direction, place, what }) => `${direction}: ${place}: ${what}`)).toEqual(expected);
  });

  it('names a component that changes once for each direction, wherever it is used', () => {
    const [before, after] = ['{enum: [a]}', '{enum: [a, b]}'].map((schema) =>
      parseDocument(withSchema(schema, '3.0.3')),
    );
    expect(compareDocuments(before, after)).toEqual([
      { direction: 'request', verdict: 'additive', place: 'schemas › Thing', what: 'enum with "b"' },
      { direction: 'response', verdict: 'breaking', place: 'schemas › Thing', what: 'enum with "b"' },
    ]);
  });

  it('reads any number of aliases of an anchor, as the service does', () => {
    const paths = Array.from({ length: 150 }, (_, at) => `/${at}: {get: {responses: {500: *failed}}}`);
    const document = parseDocument(`{x: &failed {description: d}, paths: {${paths.join(', ')}}}`);
    expect(compareDocuments(document, document)).toEqual([]);
  });

  it('names the servers of the document once, whatever operations it has', () => {
    const [before, after] = ['/v1', '/v2'].map((url) =>
      parseDocument(`{servers: [{url: ${url}}], paths: {/a: {get: {}, put: {}}}}`),
    );
    expect(compareDocuments(before, after).map(({ place, what }) => `${place}: ${what}`)).toEqual([
      'servers › /v1: server removed',
      'servers › /v2: server added',
    ]);
  });

  it('names the path before, when its parameters are renamed', () => {
    const [before, after] = ['id', 'petId'].map((name) => parseDocument(`{paths: {"/pets/{${name}}": {get: {}}}}`));
    expect(compareDocuments(before, after)).toEqual([
      {
        direction: 'document',
        verdict: 'documentation',
        place: 'GET /pets/{petId}',
        what: 'path parameters renamed, before: /pets/{id}',
      },
    ]);
  });
});
