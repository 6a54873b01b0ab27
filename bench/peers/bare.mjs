// The practical limit: nothing but Node, prepared statements, validation by hand and one commit for all creations at hand.
import { createServer } from 'node:http';
import { isAuthorized } from './bearer.mjs';
import { host, port } from './environment.mjs';
import { createPet, getPet, inOneCommit, listPets } from './store.mjs';

const STATUSES = new Set(['available', 'pending', 'sold']);
const CODES = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND' };

function answer(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const refuse = (response, status, message) => answer(response, status, { code: CODES[status], message, status });

function list(query, response) {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? 20);
  const status = parameters.get('status') ?? undefined;
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return refuse(response, 400, 'limit must be 1 to 100');
  if (status !== undefined && !STATUSES.has(status)) return refuse(response, 400, 'status is unknown');
  answer(response, 200, listPets(limit, status));
}

function get(text, response) {
  const pet = /^\d{1,15}$/.test(text) ? getPet(Number(text)) : undefined;
  if (pet === undefined) return refuse(response, 404, 'No such pet');
  answer(response, 200, pet);
}

const isNewPet = (value) =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.name === 'string' &&
  Number.isSafeInteger(value.categoryId) &&
  (value.status === undefined || STATUSES.has(value.status));

let waiting = [];

function commit() {
  const group = waiting;
  waiting = [];
  const pets = inOneCommit(() => group.map(({ newPet }) => createPet(newPet)));
  group.forEach(({ response }, index) => answer(response, 201, pets[index]));
}

function create(body, response) {
  let newPet;
  try {
    newPet = JSON.parse(body);
  } catch {
    return refuse(response, 400, 'The body is no JSON');
  }
  if (!isNewPet(newPet)) return refuse(response, 400, 'The body is no pet');
  if (waiting.push({ newPet, response }) === 1) setImmediate(commit);
}

function readBody(request, then) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString()));
}

createServer((request, response) => {
  if (!isAuthorized(request.headers.authorization)) return refuse(response, 401, 'The API key is missing or not valid');
  const [path, query] = request.url.split('?', 2);
  if (path === '/v1/pets' && request.method === 'GET') return list(query, response);
  if (path === '/v1/pets' && request.method === 'POST') return readBody(request, (body) => create(body, response));
  if (path.startsWith('/v1/pets/') && request.method === 'GET') return get(path.slice('/v1/pets/'.length), response);
  refuse(response, 404, 'Nothing has this address');
}).listen(port, host);
