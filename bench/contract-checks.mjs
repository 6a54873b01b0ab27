import { createRequire } from 'node:module';
import { readArguments } from '../tools/read-arguments.mjs';
import { requireBuild } from './require-build.mjs';

readArguments(`Usage: node bench/contract-checks.mjs

Measures what the checks of the contract cost, and compares them with Ajv. Requires \`npm run build\`.

  --help  print this help
`);
// Only now, so that the help requires no build.
requireBuild();
const { readContract } = await import('../dist/src/platform/contract/read-contract.js');

const ROUNDS = 7;
const CALLS = 500_000;

/** The fastest of several rounds, in microseconds for each call. */
function measure(name, call) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    for (let index = 0; index < CALLS; index += 1) call();
    best = Math.min(best, ((performance.now() - start) / CALLS) * 1000);
  }
  console.log(`${name.padEnd(44)} ${best.toFixed(3)} µs`);
}

const readAt = performance.now();
const { operations } = readContract('openapi.yaml');
console.log(`${'read and compile openapi.yaml'.padEnd(44)} ${(performance.now() - readAt).toFixed(0)} ms`);

const [list, create, get] = ['listPets', 'createPet', 'getPet'].map((id) => operations.find((one) => one.id === id));
const pet = { name: 'Rex', categoryId: 9223372036854775807n, status: 'available' };
const request = { url: '/v1/pets', params: { petId: '42' }, query: {}, headers: {}, body: pet };
const queried = () => ({ ...request, query: { limit: '20', status: 'sold', cursor: '3-3668340012' } });
const page = Array.from({ length: 20 }, (_, id) => ({ id: BigInt(id), ...pet, categoryId: 7n }));

measure('listPets: no query', () => list.check.rest({ ...request, query: {} }));
measure('making a query, which is part of the next', queried);
measure('listPets: limit, status and cursor', () => list.check.rest(queried()));
measure('getPet: path', () => get.check.path(request));
measure('createPet: body with a bigint', () => create.check.rest(request));
measure('write a page of 20 pets', () => list.responses.get(200).serialise(page));

const importedAt = performance.now();
const { default: Ajv } = createRequire(import.meta.url)('ajv');
const compiledAt = performance.now();
const ajv = new Ajv({ allErrors: true, meta: false, validateSchema: false });
ajv.addKeyword({ keyword: 'int64', validate: (_, value) => typeof value === 'bigint' || Number.isSafeInteger(value) });
const validate = ajv.compile({
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', pattern: '^[^\\u0000]*$' },
    categoryId: { int64: true },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
  },
});
console.log(`${'import Ajv'.padEnd(44)} ${(compiledAt - importedAt).toFixed(0)} ms`);
console.log(`${'compile the first schema with Ajv'.padEnd(44)} ${(performance.now() - compiledAt).toFixed(0)} ms`);
measure('createPet: body with a bigint, Ajv', () => validate(pet));
