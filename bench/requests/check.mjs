import { cursorOf } from './cursor.mjs';
import { pageFrom, petOf, toJson } from './pets.mjs';

const NEW_PET = { name: 'Zoë "O\'Malley" \\ 🐈', categoryId: 7, status: 'sold' };
const NEW_PET_WITHOUT_STATUS = { name: '', categoryId: 0 };

/** The JSON of the first page of pets with a status. */
const filteredPage = (status, limit) => {
  const ids = Array.from({ length: limit * 4 }, (_, index) => index + 1);
  return `[${ids
    .map(petOf)
    .filter((pet) => pet.status === status)
    .slice(0, limit)
    .map(toJson)
    .join(',')}]`;
};

const reads = (pets) => [
  { path: '?limit=20', status: 200, body: pageFrom(1, 20) },
  { path: '', status: 200, body: pageFrom(1, 20) },
  { path: '?limit=100', status: 200, body: pageFrom(1, 100) },
  { path: '?limit=20&status=sold', status: 200, body: filteredPage('sold', 20) },
  ...[1, 2, 3, 4, Math.floor(pets / 2), pets].map((id) => ({ path: `/${id}`, status: 200, body: toJson(petOf(id)) })),
];

const rejections = [
  { path: '', key: undefined, status: 401 },
  { path: '', key: 'another', status: 401 },
  { path: '?limit=0', status: 400 },
  { path: '?limit=101', status: 400 },
  { path: '?status=lost', status: 400 },
  { path: '/9007199254740991', status: 404 },
  { path: '', newPet: { name: 'Rex' }, status: 400 },
  { path: '', newPet: { name: 'Rex', categoryId: 1.5 }, status: 400 },
  { path: '', newPet: { name: 'Rex', categoryId: 7, status: 'lost' }, status: 400 },
];

const deepPage = (pets) => ({
  path: `?limit=20&cursor=${cursorOf(pets - 30)}`,
  status: 200,
  body: pageFrom(pets - 30, 20),
});

async function request(server, { path, newPet, key }) {
  const response = await fetch(server.address + path, {
    method: newPet === undefined ? 'GET' : 'POST',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(newPet !== undefined && { 'content-type': 'application/json' }),
    },
    body: newPet && JSON.stringify(newPet),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, body: await response.text() };
}

async function expectResponse(server, key, { status, body, ...options }) {
  const received = await request(server, { key, ...options });
  if (received.status === status && (body === undefined || received.body === body)) return received;
  throw new Error(
    [
      `Wrong response from ${server.name} to ${options.newPet ? 'POST' : 'GET'} /v1/pets${options.path}.`,
      `Expected ${status} ${body ?? ''}`,
      `Received ${received.status} ${received.body}`,
    ].join('\n'),
  );
}

/** A creation must return its pet under the next id, and store it. */
async function expectCreation(server, key, newPet, id) {
  const body = toJson({ id, ...newPet });
  await expectResponse(server, key, { path: '', newPet, status: 201, body });
  await expectResponse(server, key, { path: `/${id}`, status: 200, body });
}

/** Throws unless every response of the server, with that many pets, is exactly as expected. */
export async function checkResponses(server, key, pets, { withCursor = false } = {}) {
  const checks = [...reads(pets), ...rejections, ...(withCursor ? [deepPage(pets)] : [])];
  for (const check of checks) await expectResponse(server, key, check);
  await expectCreation(server, key, NEW_PET, pets + 1);
  await expectCreation(server, key, NEW_PET_WITHOUT_STATUS, pets + 2);
}
