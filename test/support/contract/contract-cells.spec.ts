import { describe, expect, it } from '@jest/globals';
import { readContract } from '../../contract/contract.js';
import { contractCells, filledCells } from './contract-cells.js';
import type { Cell } from './contract-cells.js';
import { handmadeExchange } from '../http/handmade-exchange.js';
import type { HandmadeExchange } from '../http/handmade-exchange.js';
import { matchTarget } from './match-target.js';

const contract = readContract(new URL('example.openapi.yaml', import.meta.url));

const named = (cells: readonly Cell[]): string[] =>
  cells.map(
    ({ subject, aspect, name, refused }) => `${subject.split(' ')[0]} ${aspect} ${refused ? 'not ' : ''}${name}`,
  );

const post = (requestBody: unknown, status: number): HandmadeExchange => ({
  request: 'POST /v1/pets',
  requestBody,
  status,
});
const list = (query: string, status: number): HandmadeExchange => ({ request: `GET /v1/pets${query}`, status });

describe('contractCells', () => {
  it('names every status, boundary and enum value of the contract', () => {
    const names = named(contractCells(contract));
    expect(names.filter((name) => name.startsWith('listPets'))).toEqual([
      ...['200', '400', '401', '500', '503'].map((status) => `listPets status ${status}`),
      ...['omitted (20)', '1', 'not 0', '100', 'not 101', 'not no integer'].map(
        (value) => `listPets query limit ${value}`,
      ),
      ...['omitted', 'available', 'pending', 'sold', 'not unknown'].map((value) => `listPets query status ${value}`),
      ...['omitted', 'given'].map((value) => `listPets query cursor ${value}`),
    ]);
    expect(names.filter((name) => / (body|path) /.test(name))).toEqual([
      'createPet body not omitted',
      ...['not omitted', 'not null', 'given', 'not no string'].map((value) => `createPet body name ${value}`),
      ...['not omitted', 'not null'].map((value) => `createPet body categoryId ${value}`),
      ...['-2^63', 'not -2^63-1', '2^63-1', 'not 2^63', 'not no integer'].map(
        (value) => `createPet body categoryId ${value}`,
      ),
      ...['omitted', 'not null', 'available', 'pending', 'sold', 'not unknown'].map(
        (value) => `createPet body status ${value}`,
      ),
      ...['-2^63', 'not -2^63-1', '2^63-1', 'not 2^63', 'not no integer'].map((value) => `getPet path petId ${value}`),
    ]);
    expect(names.filter((name) => name.startsWith('any'))).toEqual(
      ['204', '404', '405', '500'].map((status) => `any status ${status}`),
    );
  });
});

describe('filledCells', () => {
  it.each<[string, HandmadeExchange, string[]]>([
    ['a plain list', list('', 200), ['query limit omitted (20)', 'query status omitted', 'query cursor omitted']],
    [
      'a filtered list',
      list('?limit=100&status=sold&cursor=x', 200),
      ['query limit 100', 'query status sold', 'query cursor given'],
    ],
    ['a value that is no boundary', list('?limit=7', 200), ['query status omitted', 'query cursor omitted']],
    ['a refused limit', list('?limit=0', 400), ['query limit not 0']],
    ['a refused limit that is no integer', list('?limit=x', 400), ['query limit not no integer']],
    ['two bad parameters', list('?limit=0&status=lost', 400), []],
    ['a bad limit that was accepted', list('?limit=0', 200), []],
    ['a bad limit sent without a key', list('?limit=0', 401), []],
    ['a good limit that was refused', list('?limit=1', 400), []],
    ['the least id', { request: 'GET /v1/pets/-9223372036854775808', status: 404 }, ['path petId -2^63']],
    ['an id beyond int64', { request: 'GET /v1/pets/9223372036854775808', status: 404 }, ['path petId not 2^63']],
    [
      'a pet',
      post({ name: 'Rex', categoryId: 2n ** 63n - 1n }, 201),
      ['body name given', 'body categoryId 2^63-1', 'body status omitted'],
    ],
    ['a category beyond int64', post({ name: 'Rex', categoryId: 2n ** 63n }, 400), ['body categoryId not 2^63']],
    ['a category that is null', post({ name: 'Rex', categoryId: null }, 400), ['body categoryId not null']],
    ['a category in quotes', post({ name: 'Rex', categoryId: '1' }, 400), ['body categoryId not no integer']],
    ['a missing name', post({ categoryId: 1 }, 400), ['body name not omitted']],
    ['a missing body', post(undefined, 400), ['body not omitted']],
    ['a body that is no JSON', post('{', 400), []],
  ])('of %s', (_, handmade, expected) => {
    const exchange = handmadeExchange(handmade);
    const match = matchTarget(contract, exchange.method!, exchange.target!);
    const [status, ...inputs] = filledCells(exchange, match, 'operation');
    expect(status).toMatchObject({ aspect: 'status', name: String(handmade.status) });
    expect(named(inputs).map((name) => name.replace(/^\w+ /, ''))).toEqual(expected);
  });

  it('of an answer that belongs to no operation', () => {
    const exchange = handmadeExchange({ request: 'OPTIONS /v1/pets', status: 204 });
    const cells = filledCells(exchange, matchTarget(contract, 'OPTIONS', '/v1/pets'), 'protocol');
    expect(cells).toEqual([{ subject: 'any request', aspect: 'status', name: '204' }]);
  });
});
