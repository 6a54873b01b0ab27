import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMMAND = join(ROOT, 'tools/contract-client/run.mjs');
const FILE = 'client/src/contract.generated.ts';
const { readOperations } = (await import(
  new URL('../../../tools/contract-client/operations.mjs', import.meta.url).href
)) as {
  readonly readOperations: (document: unknown, leaveOut: (sentence: string) => void) => unknown;
};

const OPERATION = { operationId: 'listDogs', parameters: '[]', security: '[{key: []}]', responses: '{204: {}}' };

/** A contract with one operation; each value of `changes` replaces one of OPERATION. */
function contract(changes: Partial<typeof OPERATION> & { readonly more?: string } = {}): string {
  const { operationId, parameters, security, responses, more = '' } = { ...OPERATION, ...changes };
  return `
openapi: 3.0.3
paths:
  /dogs/{dogId}:
    parameters: [{in: path, name: dogId, required: true, schema: {type: integer, format: int64}}]
    get: {operationId: ${operationId}, parameters: ${parameters}, security: ${security}, responses: ${responses}${more}}
components:
  securitySchemes: {key: {type: http, scheme: bearer}, basic: {type: http, scheme: basic}}
`;
}

const json = (schema: string): string => `{200: {content: {application/json: {schema: ${schema}}}}}`;
const query = (parameter: string): string => `[{in: query, name: tag, ${parameter}}]`;

describe('npm run contract:client', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'client-'));
    mkdirSync(join(folder, 'client/src'), { recursive: true });
    copyFileSync(join(ROOT, '.prettierrc'), join(folder, '.prettierrc'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (text: string, ...args: readonly string[]) => {
    writeFileSync(join(folder, 'openapi.yaml'), text);
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { cwd: folder, encoding: 'utf8' });
    return { status, stderr: stderr.trim() };
  };
  const written = (): string => readFileSync(join(folder, FILE), 'utf8').replaceAll(/\s+/g, ' ');

  it('has written the file of the client from the present openapi.yaml', () => {
    expect(spawnSync(process.execPath, [COMMAND, '--check'], { cwd: ROOT }).status).toBe(0);
  });

  it('writes operations and schemas, and --check passes until the contract changes', () => {
    const first = contract({ responses: json('{type: array, items: {type: integer, format: int64}}') });
    expect(run(first)).toStrictEqual({ status: 0, stderr: '' });
    expect(written()).toContain('listDogs: { request: { path: { dogId: bigint } };');
    expect(written()).toContain('responses: { 200: { body: Array<bigint>; headers: never } }');
    expect(written()).toContain(
      "listDogs: { method: 'GET', path: '/dogs/{dogId}', sendsKey: true, responses: { '200': { items: 'int64' } } },",
    );
    expect(run(first, '--check')).toStrictEqual({ status: 0, stderr: '' });
    expect(run(contract({ responses: json('{type: string}') }), '--check')).toStrictEqual({
      status: 1,
      stderr: `${FILE} does not match openapi.yaml: run npm run contract:client.`,
    });
  });

  it('marks parameters, bodies, headers, statuses and deprecation as the contract declares them', () => {
    const more =
      ', deprecated: true, requestBody: {required: true, content: {application/json: {schema: {type: string}}}}';
    const parameters =
      '[{in: query, name: tag, schema: {type: array, items: {type: string}}}, {in: header, name: X-A}]';
    const responses = '{204: {headers: {ETag: {}, X-Total: {}}}, 404: {}}';
    expect(run(contract({ parameters, responses, more })).stderr).toBe('');
    expect(written()).toContain(
      "/** @deprecated */ listDogs: { request: { path: { dogId: bigint }; query?: { tag?: Array<string> }; header?: { 'X-A'?: unknown }; body: string };",
    );
    expect(written()).toContain("204: { body: undefined; headers: 'ETag' | 'X-Total' };");
    expect(written()).toContain("responses: { '204': null, '404': null }");
  });

  it('lets a header of an operation replace that of its path in other letters', () => {
    const text = contract({ parameters: '[{in: header, name: x-a, schema: {type: string}}]' });
    const shared = '[{in: header, name: X-A, required: true, schema: {type: integer}}, ';
    expect(run(text.replace('parameters: [', `parameters: ${shared}`)).stderr).toBe('');
    expect(written()).toContain("header?: { 'x-a'?: string } }");
  });

  it('leaves out what the client cannot honour, and says why', () => {
    const other =
      '  /cats: {get: {operationId: listCats, responses: {204: {}}}}\ncomponents:\n  schemas: {Odd: {type: file}}\n';
    const text = contract({ security: '[{}]' }).replace('components:\n', other);
    const sentences = [
      'openapi.yaml paths./dogs/{dogId}.get.security: the client requires one HTTP bearer scheme, or none; the client leaves this operation out.',
      'openapi.yaml components.schemas.Odd: "file" is not a type; the client has the type unknown for it.',
    ];
    expect(run(text)).toStrictEqual({ status: 0, stderr: sentences.join('\n') });
    expect(written()).toContain('Odd: unknown;');
    expect(written()).toContain("{ listCats: { method: 'GET', path: '/cats'");
    expect(run(text, '--check')).toStrictEqual({ status: 0, stderr: sentences.join('\n') });
  });

  it('knows how lists and objects of the query are written, and what is not JSON', () => {
    const parameters =
      '[{in: query, name: a, explode: false, schema: {type: array, items: {type: string}}}, {in: query, name: b, style: deepObject, schema: {type: object, properties: {c: {type: integer, format: int64}}}}, {in: query, name: d, allowReserved: true, explode: false, schema: {type: string}}, {in: cookie, name: e, required: true, schema: {type: string}}]';
    const responses = '{200: {content: {text/csv: {}}}, 202: {content: {image/png: {}}}}';
    expect(run(contract({ parameters, responses })).stderr).toBe('');
    expect(written()).toContain(
      'query?: { a?: Array<string>; b?: { c?: bigint }; d?: string }; cookie: { e: string };',
    );
    expect(written()).toContain(
      "200: { body: string; headers: never }; 202: { body: Response['body']; headers: never }",
    );
    expect(written()).toContain("styles: { a: 'form', b: 'deepObject' }");
    expect(written()).toContain(
      "responses: { '200': { media: 'text/csv', as: 'text' }, '202': { media: 'image/png', as: 'stream' } }",
    );
  });

  it('sends no key where the contract requires none', () => {
    expect(run(contract({ security: '[]' })).stderr).toBe('');
    expect(written()).toContain('sendsKey: false');
  });
});

describe('an operation that the client cannot honour', () => {
  it.each<[string, Parameters<typeof contract>[0], string]>([
    [
      'two keys',
      { security: '[{key: [], basic: []}]' },
      '.security: the client requires one HTTP bearer scheme, or none',
    ],
    ['a password', { security: '[{basic: []}]' }, '.security: the client requires one HTTP bearer scheme, or none'],
    ['an optional key', { security: '[{}]' }, '.security: the client requires one HTTP bearer scheme, or none'],
    ['servers', { more: ', servers: []' }, ': the client cannot honour "servers" here'],
    [
      'other statuses',
      { responses: '{default: {}}' },
      '.responses.default: the client requires single statuses, such as 200',
    ],
    [
      'a range of media types',
      { responses: '{200: {content: {image/*: {}}}}' },
      '.responses.200: the client requires one media type, not image/*',
    ],
    [
      'a body that is not JSON',
      { more: ', requestBody: {content: {text/csv: {}}}' },
      '.requestBody: the client requires application/json, not text/csv',
    ],
    [
      'an object in the query',
      { parameters: query('schema: {type: object}') },
      '.parameters.tag: the client can write an object as a parameter only in the style deepObject',
    ],
    [
      'a list in a cookie',
      { parameters: '[{in: cookie, name: a, schema: {type: array}}]' },
      '.parameters.a: the client can write a list only in the query and in headers',
    ],
    [
      'a list of lists',
      { parameters: query('schema: {type: array, items: {type: array}}') },
      '.parameters.tag: the client can write only text, numbers and booleans inside a parameter',
    ],
    [
      'another style',
      { parameters: query('style: matrix, schema: {type: string}') },
      '.parameters.tag: the client cannot write the style "matrix"',
    ],
    [
      'JSON in the query',
      { parameters: query('content: {}') },
      '.parameters.tag: the client cannot write a parameter with "content"',
    ],
  ])('is left out: %s', (_, changes, reason) => {
    expect(leftOut(contract(changes))).toStrictEqual([
      `openapi.yaml paths./dogs/{dogId}.get${reason}; the client leaves this operation out.`,
    ]);
  });

  it.each([
    ['HEAD', 'get:', 'head:', 'paths./dogs/{dogId}: the client cannot honour "head" here.'],
    [
      'no operationId',
      'operationId: listDogs, ',
      '',
      'paths./dogs/{dogId}.get: the client requires an operationId, the name of its method; the client leaves this operation out.',
    ],
  ])('is left out: %s', (_, from, to, reason) => {
    expect(leftOut(contract().replace(from, to))).toStrictEqual([`openapi.yaml ${reason}`]);
  });
});

/** The sentences about the only operation of a contract, which must be left out. */
function leftOut(text: string): string[] {
  const sentences: string[] = [];
  expect(readOperations(parse(text), (sentence) => sentences.push(sentence))).toStrictEqual([]);
  return sentences;
}
