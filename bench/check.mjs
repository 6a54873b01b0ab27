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

const refusals = [
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

async function ask(server, { path, newPet, key }) {
  const answer = await fetch(server.address + path, {
    method: newPet === undefined ? 'GET' : 'POST',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(newPet !== undefined && { 'content-type': 'application/json' }),
    },
    body: newPet && JSON.stringify(newPet),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: answer.status, body: await answer.text() };
}

async function expectAnswer(server, key, { status, body, ...request }) {
  const got = await ask(server, { key, ...request });
  if (got.status === status && (body === undefined || got.body === body)) return got;
  throw new Error(
    [
      `Wrong response from ${server.name} to ${request.newPet ? 'POST' : 'GET'} /v1/pets${request.path}.`,
      `Expected ${status} ${body ?? ''}`,
      `     Got ${got.status} ${got.body}`,
    ].join('\n'),
  );
}

/** A creation must return its pet under the next id, and store it. */
async function expectCreation(server, key, newPet, id) {
  const body = toJson({ id, ...newPet });
  await expectAnswer(server, key, { path: '', newPet, status: 201, body });
  await expectAnswer(server, key, { path: `/${id}`, status: 200, body });
}

/** Throws unless the server, with that many pets, responds byte for byte as the contract says. */
export async function checkAnswers(server, key, pets, { withCursor = false } = {}) {
  const requests = [...reads(pets), ...refusals, ...(withCursor ? [deepPage(pets)] : [])];
  for (const request of requests) await expectAnswer(server, key, request);
  await expectCreation(server, key, NEW_PET, pets + 1);
  await expectCreation(server, key, NEW_PET_WITHOUT_STATUS, pets + 2);
}
