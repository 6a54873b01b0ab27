import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../../../src/platform/contract/read-contract.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { baseContract, type Part, postOf } from './base-contract.js';

const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'yaml-')), 'openapi.yaml');
const BASE = JSON.stringify(baseContract('3.0.3'));

function errorOf(text: string | Buffer): unknown {
  writeFileSync(file, text);
  try {
    readContract(file);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Each list has the one before ten times, in a line of its own: a million values in the sixth. */
const BOMB = ['b [*a', 'c [*b', 'd [*c', 'e [*d', 'f [*e'].map(
  (start) => `\n"x-${start[0]!}":&${start}${`,${start.slice(-2)}`.repeat(9)}],`,
);

/** A contract with 60 more operations, each of which has the same response three times by an alias. */
function withAliases(): string {
  const contract = baseContract('3.0.3');
  const post = postOf(contract);
  const aliased = Object.fromEntries([404, 409, 422].map((status) => [status, 'REFUSED']));
  const more = Array.from({ length: 60 }, (_, index) => [
    `/more${index}`,
    { post: { ...post, operationId: `more${index}`, responses: { ...post.responses, ...aliased } } },
  ]);
  const paths = { ...contract.paths, ...Object.fromEntries(more) };
  const anchored = `{"x-refused":&refused ${JSON.stringify(post.responses[400])},`;
  return JSON.stringify({ ...contract, paths })
    .replaceAll('"REFUSED"', '*refused ')
    .replace('{', anchored);
}

const EXACT = ['0.1', '1.10', '-0.0', '+2.50', '.5', '1.', '1e2', '1.5E+3', '0.00', '1e-7', '100000000000000000000.0'];

describe('a contract in YAML', () => {
  it.each([
    [
      'an alias without an anchor',
      BASE.replace('"Things"', '*nope'),
      'the alias "*nope" needs an anchor "&nope" before it.',
    ],
    [
      'an alias inside its anchor',
      BASE.replace('"info":{', '"info":&a {"x-b": *a,'),
      'the alias "*a" contains itself.',
    ],
    [
      'aliases that multiply',
      BASE.replace('{', `{"x-a":&a [1,1,1,1,1,1,1,1,1,1],${BOMB.join('')}`),
      'the aliases up to here repeat more than 1,000,000 values; use "$ref".',
    ],
    [
      'a status with and without quotes',
      BASE.replace('"201":{', '201: {"description": "x"}, "201":{'),
      '"201" is declared twice; remove one of them.',
    ],
    [
      'a name that is an alias',
      BASE.replace('"info":{', '"info":{"x-a":{&k a: 2, ? *k : 9},'),
      'a name must be text; write it out.',
    ],
    ['a name that is a list', BASE.replace('"info":{', '"info":{ ? [a] : 1,'), 'a name must be text; write it out.'],
    [
      'a name that JSON writes differently',
      BASE.replace('"info":{', '"info":{"x-a":{1.0: 2},'),
      'the name 1.0 would become "1"; put it in quotes.',
    ],
    [
      'a merge',
      BASE.replace('"info":{', '"info":{"x-a":{<<: {a: 1}},'),
      '"<<" merges nothing in YAML 1.2; use "$ref" or "allOf".',
    ],
    ['a second document', `${BASE}\n---\n`, 'the contract ends here; remove the documents that follow.'],
    ['no document', '', 'the contract must be an object.'],
    [
      'a member that is called $ref',
      BASE.replace('"Error":{', '"Value":{"type":"object","properties":{"$ref":{"type":"string"}}},"Error":{'),
      '"$ref" must be text; no member can have this name.',
    ],
    [
      'a name with a line break',
      BASE.replace('"info":{', String.raw`"info":{"a\nb":1,`),
      String.raw`"a\nb" is not a member of the info; remove it, or let its name begin with "x-".`,
    ],
    ['a tag', BASE.replace('"Things"', '!secret "Things"'), 'Unresolved tag: !secret.'],
    [
      'YAML 1.1',
      `%YAML 1.1\n---\n${BASE}`,
      'YAML 1.1 reads "no" as false and "010" as 8; remove the line "%YAML 1.1".',
    ],
    ...(
      [
        ['maximum: 9223372036854775807.0', '9223372036854775807.0', '9223372036854776000'],
        ['minimum: -9007199254740993.0', '-9007199254740993.0', '-9007199254740992'],
        ['exclusiveMaximum: true, maximum: 9007199254740993e0', '9007199254740993e0', '9007199254740992'],
        ['multipleOf: 0.1000000000000000055', '0.1000000000000000055', '0.1'],
        ['enum: [1, 0.12345678901234567891]', '0.12345678901234567891', '0.12345678901234568'],
        ['default: 1e400', '1e400', 'Infinity'],
        ['example: 1.0e-400', '1.0e-400', '0'],
      ] as const
    ).map(
      ([keyword, literal, rounded]) =>
        [
          `a number that a double rounds: ${keyword}`,
          BASE.replace('"Error":{', `"Value":{"type":"number",${keyword}},"Error":{`),
          `${literal} would be rounded to ${rounded}; write an integer without a fraction, or fewer digits.`,
        ] as const,
    ),
  ])('stops the start, with file, line and column: %s', (_, text, reason) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message.replace(/:\d+:\d+ /, ': ')).toBe(`${file}: ${reason}`);
  });

  it.each(['latin1', 'utf16le'] as const)('stops the start when it is saved in another encoding: %s', (encoding) => {
    const text = Buffer.from(`\uFEFF${BASE.replace('Things', 'Läden')}`, encoding);
    expect((errorOf(text) as StartError).message).toBe(`The contract ${file} is not UTF-8; save it in that encoding.`);
  });

  it.each([...EXACT, '0.30000000000000004', '9007199254740993', '9223372036854775807'])(
    'is read with the number %s',
    (literal) => {
      expect(errorOf(BASE.replace('"info":{', `"info":{"x-a":${literal},`))).toBeUndefined();
    },
  );

  it('is read with an escape in the path of its server', () => {
    expect(errorOf(BASE.replace('"/v1"', '"/my%20api"'))).toBeUndefined();
  });

  it('is read with data that looks like a reference', () => {
    const contract = baseContract('3.1.0');
    const data = { example: { $ref: '#/nowhere' }, examples: [{ $ref: '#/nowhere' }], 'x-a': { $ref: '#/nowhere' } };
    contract.components.schemas.Value = { type: 'object', ...data, properties: { value: { type: 'object', ...data } } };
    postOf(contract).requestBody.content['application/json'].schema = { $ref: '#/components/schemas/Value' };
    expect(errorOf(JSON.stringify(contract))).toBeUndefined();
  });

  it('stops the start at the alias that repeats too much', () => {
    const error = errorOf(BASE.replace('{', `{"x-a":&a [1,1,1,1,1,1,1,1,1,1],${BOMB.join('')}`));
    expect((error as StartError).message).toMatch(`${file}:6:`);
  });

  it('is read with hundreds of aliases, as what they repeat', () => {
    writeFileSync(file, withAliases());
    const { document } = readContract(file) as { document: Part };
    expect(document.paths['/more59'].post.responses[422]).toEqual(document.paths['/things'].post.responses[400]);
  });

  it('is read with a list that thousands of aliases repeat', () => {
    expect(errorOf(BASE.replace('{', `{"x-a":&a ["a","b"],"x-b":[${'*a,'.repeat(5000)}],`))).toBeUndefined();
  });

  it('is read with an anchor that stands twice: an alias has the last one before it', () => {
    expect(errorOf(BASE.replace('{', '{"x-a":&a [1],"x-b":*a ,"x-c":&a [2],"x-d":*a ,'))).toBeUndefined();
    expect(readContract(file).document).toMatchObject({ 'x-b': [1], 'x-d': [2] });
  });

  it('names the alias where what it repeats is refused', () => {
    const text = BASE.replace('{', '{"x-a":&a {"type":"string","not":{}},').replace(
      '"Error":{',
      '\n"Value":*a ,"Error":{',
    );
    expect((errorOf(text) as StartError).message).toMatch(`${file}:2:9 "not" is not supported`);
  });

  it('is read with an alias of an anchor before it', () => {
    expect(errorOf(BASE.replace('"Things"', '&title "Things"').replace('"1.0.0"', '*title'))).toBeUndefined();
  });
});
