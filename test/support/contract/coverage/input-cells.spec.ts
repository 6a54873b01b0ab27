import { describe, expect, it } from '@jest/globals';
import type { Contract, Operation } from '../../../contract/contract.js';
import { neutralSchema } from '../../../contract/documents/neutral-schema.js';
import type { Parameter, Schema } from '../../../contract/open-api.js';
import { buildExchange, type ExchangeParts } from '../../http/build-exchange.js';
import { matchTarget } from '../match-target.js';
import { contractCells, filledCells } from './contract-cells.js';

const TEXT: Schema = { type: 'string' };
const NULL: Schema = { ...TEXT, nullable: true, enum: [null] };
const objectOf = (name: string): Schema => ({ type: 'object', required: [name], properties: { [name]: TEXT } });

function contractOf(operation: Partial<Operation>): Contract {
  const of = { name: 'a', method: 'POST', path: '/a', responses: {}, ...operation };
  return { basePath: '', operations: [of], protocolResponses: {} };
}

const named = ({ name, rejected }: { readonly name: string; readonly rejected?: boolean }): string =>
  rejected ? `rejected ${name}` : name;

/** The cells of one input, and those that the exchanges fill. */
function cellsOf(contract: Contract, aspect: string, exchanges: readonly ExchangeParts[]): [string[], string[]] {
  const all = contractCells(contract).filter((cell) => cell.aspect === aspect);
  const filled = exchanges.flatMap((parts) => {
    const exchange = buildExchange(parts);
    const match = matchTarget(contract, exchange.method!, exchange.target!);
    return filledCells(exchange, match, 'operation').filter((cell) => cell.aspect === aspect);
  });
  const isFilled = ({ name }: { readonly name: string }) => filled.some((cell) => cell.name === name);
  return [all.map(named), all.filter(isFilled).map(named)];
}

describe('the cells of a query parameter', () => {
  it.each<[string, Partial<Parameter>, accepted: string[], refused: string[], cells: string[]]>([
    ['a boolean', { schema: { type: 'boolean' } }, ['', 'q=true'], [], ['omitted', 'given']],
    ['a number', { schema: { type: 'number' } }, ['', 'q=1.5'], [], ['omitted', 'given']],
    [
      'some numbers',
      { schema: { type: 'number', enum: [1n, 1.5] } },
      ['', 'q=1', 'q=1.5'],
      ['q=x'],
      ['omitted', '1', '1.5', 'rejected unknown'],
    ],
    [
      'one boolean',
      { schema: { type: 'boolean', enum: [true] } },
      ['', 'q=true'],
      ['q=x'],
      ['omitted', 'true', 'rejected unknown'],
    ],
    ['a list', { schema: { type: 'array', items: TEXT } }, ['', 'q=a&q=b'], [], ['omitted', 'given']],
    ['a list of one', { schema: { type: 'array', items: TEXT } }, ['', 'q=a'], [], ['omitted', 'given']],
    [
      'a list with explode false',
      { explode: false, schema: { type: 'array', items: TEXT } } as Partial<Parameter>,
      ['', 'q=a,b'],
      [],
      ['omitted', 'given'],
    ],
    ['a deepObject', { style: 'deepObject', schema: objectOf('b') }, ['', 'q%5Bb%5D=x'], [], ['omitted', 'given']],
    [
      'a multiple between two bounds',
      { schema: { type: 'integer', minimum: 1n, maximum: 11n, multipleOf: 5n } },
      ['', 'q=5', 'q=10'],
      ['q=0', 'q=12', 'q=x'],
      ['omitted', '5', 'rejected 0', '10', 'rejected 12', 'rejected non-integer'],
    ],
    [
      'a multiple between negative bounds',
      { schema: { type: 'integer', minimum: -11n, maximum: -1n, multipleOf: 5n } },
      ['', 'q=-10', 'q=-5'],
      ['q=-12', 'q=0', 'q=x'],
      ['omitted', '-10', 'rejected -12', '-5', 'rejected 0', 'rejected non-integer'],
    ],
    [
      'an int64 above an exclusive bound',
      { schema: { type: 'integer', format: 'int64', minimum: 0n, exclusiveMinimum: true, maximum: 2n } },
      ['', 'q=1', 'q=2'],
      ['q=0', 'q=3', 'q=x'],
      ['omitted', '1', 'rejected 0', '2', 'rejected 3', 'rejected non-integer'],
    ],
    [
      'an integer between fractions',
      { schema: { type: 'integer', minimum: 0.5, maximum: 2.5 } },
      ['', 'q=1', 'q=2'],
      ['q=0', 'q=3', 'q=x'],
      ['omitted', '1', 'rejected 0', '2', 'rejected 3', 'rejected non-integer'],
    ],
  ])('are all filled by requests: %s', (_, { schema, ...parameter }, accepted, refused, cells) => {
    const parameters = [{ name: 'q', in: 'query' as const, schema: neutralSchema(schema!), ...parameter }];
    const exchanges = [
      ...accepted.map((query) => ({ request: `POST /a?${query}`, status: 200 })),
      ...refused.map((query) => ({ request: `POST /a?${query}`, status: 400 })),
    ];
    expect(cellsOf(contractOf({ parameters }), 'query q', exchanges)).toEqual([cells, cells]);
  });

  it('stay empty without a request for them', () => {
    const parameters = [{ name: 'q', in: 'query' as const, style: 'deepObject', schema: objectOf('b') }];
    const exchanges = ['', 'q=x', 'other[b]=x'].map((query) => ({ request: `POST /a?${query}`, status: 200 }));
    expect(cellsOf(contractOf({ parameters }), 'query q', exchanges)).toEqual([['omitted', 'given'], ['omitted']]);
    const refused = [{ request: 'POST /a?q[b]=x', status: 400 }];
    expect(cellsOf(contractOf({ parameters }), 'query q', refused)).toEqual([['omitted', 'given'], []]);
  });
});

it.each([
  ['that a redirection answers', 303],
  ['without the precondition that the operation wants', 428],
  ['whose precondition fails', 412],
])('a request fills the cells of valid parameters: one %s', (_, status) => {
  const contract = contractOf({ parameters: [{ name: 'If-Match', in: 'header', schema: TEXT }] });
  const [, filled] = cellsOf(contract, 'header If-Match', [{ request: 'POST /a', status }]);
  expect(filled).toEqual(['omitted']);
});

it('a cookie fills the cells of its parameter', () => {
  const contract = contractOf({ parameters: [{ name: 'session', in: 'cookie', schema: TEXT }] });
  const exchange = { ...buildExchange({ request: 'POST /a' }), headers: { cookie: 'other=1; session=x' } };
  const [, cell] = filledCells(exchange, matchTarget(contract, 'POST', '/a'), 'operation');
  expect(cell).toMatchObject({ aspect: 'cookie session', name: 'given' });
});

describe('the cells of a member of a body', () => {
  it.each<[string, Schema, accepted: unknown[], refused: unknown[], cells: string[]]>([
    ['of oneOf', { oneOf: [TEXT, { type: 'integer' }] }, ['x'], [null], ['rejected null', 'given']],
    ['of anyOf', { anyOf: [objectOf('a'), objectOf('b')] }, [{ a: 'x' }], [null], ['rejected null', 'given']],
    ['a reference that may be null', { oneOf: [objectOf('a'), NULL] }, [null, { a: 'x' }], [], ['null', 'given']],
    ['null in any alternative', { anyOf: [NULL, NULL, objectOf('a')] }, [null, { a: 'x' }], [], ['null', 'given']],
    ['null in two alternatives', { oneOf: [NULL, NULL, TEXT] }, ['x'], [null], ['rejected null', 'given']],
    ['null in an inner one', { oneOf: [{ anyOf: [NULL, TEXT] }, objectOf('a')] }, [null, 'x'], [], ['null', 'given']],
    ['without a type', {}, ['x'], [], ['given']],
    ['only null', NULL, [null], ['x'], ['null', 'rejected unknown']],
    [
      'some objects',
      { type: 'object', enum: [{ a: 'x', b: [1n] }, { a: 'y' }] },
      [{ b: [1], a: 'x' }, { a: 'y' }],
      [null, { a: 'z' }],
      ['rejected null', '{"a":"x","b":[1]}', '{"a":"y"}', 'rejected unknown'],
    ],
    ['a text', TEXT, ['x'], [null, 1], ['rejected null', 'given', 'rejected non-string']],
    [
      'a multiple between two bounds',
      { type: 'integer', minimum: 1n, maximum: 11n, multipleOf: 5n },
      [5, 10],
      [null, 0, 12, 'x'],
      ['rejected null', '5', 'rejected 0', '10', 'rejected 12', 'rejected non-integer'],
    ],
    [
      'a multiple of a fraction',
      { type: 'integer', minimum: 1n, maximum: 11n, multipleOf: 2.5 },
      [],
      [null, 0, 12, 'x'],
      ['rejected null', 'rejected 0', 'rejected 12', 'rejected non-integer'],
    ],
  ])('are all filled by requests: %s', (_, schema, accepted, refused, cells) => {
    const member = neutralSchema({ ...schema, ...alternativesOf(schema) });
    const content = { 'application/json': { schema: { type: 'object', properties: { m: member } } } };
    const exchange = (requestBody: object, status: number) => ({ request: 'POST /a', requestBody, status });
    const exchanges = [
      exchange({}, 200),
      ...accepted.map((m) => exchange({ m }, 200)),
      ...refused.map((m) => exchange({ m }, 400)),
    ];
    const expected = ['omitted', ...cells];
    expect(cellsOf(contractOf({ requestBody: { content } }), 'body m', exchanges)).toEqual([expected, expected]);
  });

  it('are all filled by requests: a readOnly member, even a required one', () => {
    const schema = { type: 'object', required: ['m'], properties: { m: { ...TEXT, readOnly: true } } };
    const contract = contractOf({ requestBody: { content: { 'application/json': { schema } } } });
    const exchanges = [
      { request: 'POST /a', requestBody: {}, status: 200 },
      { request: 'POST /a', requestBody: { m: 'x' }, status: 400 },
    ];
    const expected = ['omitted', 'rejected given'];
    expect(cellsOf(contract, 'body m', exchanges)).toEqual([expected, expected]);
  });
});

/** As `dereference` leaves them. */
function alternativesOf(schema: Schema): Schema {
  const keywords = ['oneOf', 'anyOf'].filter((keyword) => schema[keyword] !== undefined);
  const neutral = (one: Schema): Schema => neutralSchema({ ...one, ...alternativesOf(one) });
  return Object.fromEntries(keywords.map((keyword) => [keyword, (schema[keyword] as Schema[]).map(neutral)]));
}
