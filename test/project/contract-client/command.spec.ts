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
  readonly readOperations: (document: unknown) => unknown;
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

  it('ends with 1 and the reason for a contract that the client cannot honour', () => {
    const { status, stderr } = run(contract({ security: '[{}]' }));
    expect({ status, stderr }).toStrictEqual({
      status: 1,
      stderr: 'openapi.yaml paths./dogs/{dogId}.get.security: the client requires one HTTP bearer scheme, or none.',
    });
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
      'another media type',
      { responses: '{200: {content: {text/csv: {}}}}' },
      '.responses.200: the client requires application/json, not text/csv',
    ],
    [
      'a cookie',
      { parameters: '[{in: cookie, name: a}]' },
      '.parameters.a: the client cannot send cookies: a browser forbids it',
    ],
    [
      'an object in the query',
      { parameters: query('schema: {type: object}') },
      '.parameters.tag: the client cannot write an object as a parameter',
    ],
    [
      'a list with commas',
      { parameters: query('explode: false, schema: {type: array}') },
      '.parameters.tag: the client can write a list only in the query, as a repeated parameter',
    ],
    [
      'another style',
      { parameters: query('style: pipeDelimited, schema: {type: array}') },
      '.parameters.tag: the client cannot write the style "pipeDelimited"',
    ],
    [
      'reserved characters',
      { parameters: query('allowReserved: true') },
      '.parameters.tag: the client cannot write a parameter with "allowReserved"',
    ],
    [
      'JSON in the query',
      { parameters: query('content: {}') },
      '.parameters.tag: the client cannot write a parameter with "content"',
    ],
  ])('is refused: %s', (_, changes, reason) => {
    const refused = () => readOperations(parse(contract(changes)));
    expect(refused).toThrow(`openapi.yaml paths./dogs/{dogId}.get${reason}.`);
  });

  it.each([
    ['HEAD', 'get:', 'head:', 'paths./dogs/{dogId}: the client cannot honour "head" here.'],
    [
      'no operationId',
      'operationId: listDogs, ',
      '',
      'paths./dogs/{dogId}.get: the client requires an operationId, the name of its method.',
    ],
  ])('is refused: %s', (_, from, to, reason) => {
    expect(() => readOperations(parse(contract().replace(from, to)))).toThrow(`openapi.yaml ${reason}`);
  });
});
