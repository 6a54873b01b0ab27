import { cursorOf } from './cursor.mjs';

const PATHS = 2_048;

/** Ids from the whole table, in a scattered order that is the same in every run. */
const spread = (count, pets) => {
  const step = Math.max(1, Math.floor(pets * 0.618));
  return Array.from({ length: count }, (_, index) => ((index * step) % pets) + 1);
};

const list = () => ({ name: 'list', method: 'GET', paths: ['?limit=20'] });
const get = (pets) => ({ name: 'get', method: 'GET', paths: spread(PATHS, pets).map((id) => `/${id}`) });
const create = () => ({
  name: 'create',
  method: 'POST',
  paths: [''],
  body: JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' }),
});
const filtered = () => ({ name: 'filtered list', method: 'GET', paths: ['?limit=20&status=sold'] });
const deep = (pets) => ({
  name: 'deep page',
  method: 'GET',
  paths: spread(PATHS, Math.floor(pets / 2)).map((id) => `?limit=20&cursor=${cursorOf(Math.floor(pets / 2) + id)}`),
});

export const workloads = (pets) => [list(), get(pets), create()];
export const growthWorkloads = (pets) => [list(), filtered(), deep(pets), get(pets), create()];
