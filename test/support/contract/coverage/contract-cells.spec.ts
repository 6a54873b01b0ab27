import { describe, expect, it } from '@jest/globals';
import { readContract } from '../../../contract/contract.js';
import { contractCells, filledCells } from './contract-cells.js';
import type { Cell } from './contract-cells.js';
import { buildExchange } from '../../http/build-exchange.js';
import type { ExchangeParts } from '../../http/build-exchange.js';
import { matchTarget } from '../match-target.js';

const contract = readContract(new URL('../example.openapi.yaml', import.meta.url));

const named = (cells: readonly Cell[]): string[] =>
  cells.map(
    ({ subject, aspect, name, rejected }) => `${subject.split(' ')[0]} ${aspect} ${rejected ? 'rejected ' : ''}${name}`,
  );

const post = (requestBody: unknown, status: number): ExchangeParts => ({
  request: 'POST /v1/pets',
  requestBody,
  status,
});
const list = (query: string, status: number): ExchangeParts => ({ request: `GET /v1/pets${query}`, status });

describe('contractCells', () => {
  it('lists every status, boundary and enum value of the contract', () => {
    const names = named(contractCells(contract));
    expect(names.filter((name) => name.startsWith('listPets'))).toEqual([
      ...['200', '400', '401', '500', '503'].map((status) => `listPets status ${status}`),
      ...['omitted (20)', '1', 'rejected 0', '100', 'rejected 101', 'rejected non-integer'].map(
        (value) => `listPets query limit ${value}`,
      ),
      ...['omitted', 'available', 'pending', 'sold', 'rejected unknown'].map(
        (value) => `listPets query status ${value}`,
      ),
      ...['omitted', 'given'].map((value) => `listPets query cursor ${value}`),
    ]);
    expect(names.filter((name) => / (body|path) /.test(name))).toEqual([
      'createPet body rejected omitted',
      ...['rejected omitted', 'rejected null', 'given', 'rejected non-string'].map(
        (value) => `createPet body name ${value}`,
      ),
      ...['rejected omitted', 'rejected null'].map((value) => `createPet body categoryId ${value}`),
      ...['-2^63', 'rejected -2^63-1', '2^63-1', 'rejected 2^63', 'rejected non-integer'].map(
        (value) => `createPet body categoryId ${value}`,
      ),
      ...['omitted', 'rejected null', 'available', 'pending', 'sold', 'rejected unknown'].map(
        (value) => `createPet body status ${value}`,
      ),
      ...['-2^63', 'rejected -2^63-1', '2^63-1', 'rejected 2^63', 'rejected non-integer'].map(
        (value) => `getPet path petId ${value}`,
      ),
    ]);
    expect(names.filter((name) => name.startsWith('any'))).toEqual(
      ['204', '404', '405', '500'].map((status) => `any status ${status}`),
    );
  });
});

describe('filledCells', () => {
  it.each<[string, ExchangeParts, string[]]>([
    ['a plain list', list('', 200), ['query limit omitted (20)', 'query status omitted', 'query cursor omitted']],
    [
      'a filtered list',
      list('?limit=100&status=sold&cursor=x', 200),
      ['query limit 100', 'query status sold', 'query cursor given'],
    ],
    ['a value that is not a boundary', list('?limit=7', 200), ['query status omitted', 'query cursor omitted']],
    ['a rejected limit', list('?limit=0', 400), ['query limit rejected 0']],
    ['a rejected limit that is not an integer', list('?limit=x', 400), ['query limit rejected non-integer']],
    ['two invalid parameters', list('?limit=0&status=lost', 400), []],
    ['an accepted invalid limit', list('?limit=0', 200), []],
    ['an invalid limit without a key', list('?limit=0', 401), []],
    ['a rejected valid limit', list('?limit=1', 400), []],
    ['the least id', { request: 'GET /v1/pets/-9223372036854775808', status: 404 }, ['path petId -2^63']],
    ['an id beyond int64', { request: 'GET /v1/pets/9223372036854775808', status: 404 }, ['path petId rejected 2^63']],
    [
      'a pet',
      post({ name: 'Rex', categoryId: 2n ** 63n - 1n }, 201),
      ['body name given', 'body categoryId 2^63-1', 'body status omitted'],
    ],
    ['a category beyond int64', post({ name: 'Rex', categoryId: 2n ** 63n }, 400), ['body categoryId rejected 2^63']],
    ['a null category', post({ name: 'Rex', categoryId: null }, 400), ['body categoryId rejected null']],
    ['a category in quotes', post({ name: 'Rex', categoryId: '1' }, 400), ['body categoryId rejected non-integer']],
    ['a missing name', post({ categoryId: 1 }, 400), ['body name rejected omitted']],
    ['a missing body', post(undefined, 400), ['body rejected omitted']],
    ['a body that is not JSON', post('{', 400), []],
  ])('counts the cells of %s', (_, parts, expected) => {
    const exchange = buildExchange(parts);
    const match = matchTarget(contract, exchange.method!, exchange.target!);
    const [status, ...inputs] = filledCells(exchange, match, 'operation');
    expect(status).toMatchObject({ aspect: 'status', name: String(parts.status) });
    expect(named(inputs).map((name) => name.replace(/^\w+ /, ''))).toEqual(expected);
  });

  it('counts the status of a response outside all operations', () => {
    const exchange = buildExchange({ request: 'OPTIONS /v1/pets', status: 204 });
    const cells = filledCells(exchange, matchTarget(contract, 'OPTIONS', '/v1/pets'), 'protocol');
    expect(cells).toEqual([{ subject: 'any request', aspect: 'status', name: '204' }]);
  });
});
