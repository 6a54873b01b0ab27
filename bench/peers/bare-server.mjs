// `node:http` and validation by hand. Handlers receive the response object, so that a synchronous database costs no
// promise.
import { createServer } from 'node:http';
import { isAuthorized } from './bearer.mjs';
import { host, port } from './environment.mjs';

const STATUSES = new Set(['available', 'pending', 'sold']);
const CODES = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND' };

export function respond(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const reject = (response, status, message) => respond(response, status, { code: CODES[status], message, status });

export function respondWithPet(response, pet) {
  if (pet === undefined) return reject(response, 404, 'No such pet');
  respond(response, 200, pet);
}

function list(query, response, listPets) {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? 20);
  const status = parameters.get('status') ?? undefined;
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return reject(response, 400, 'limit must be 1 to 100');
  if (status !== undefined && !STATUSES.has(status)) return reject(response, 400, 'status is unknown');
  listPets(response, limit, status);
}

function get(text, response, getPet) {
  if (!/^\d{1,15}$/.test(text)) return respondWithPet(response, undefined);
  getPet(response, Number(text));
}

const isNewPet = (value) =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.name === 'string' &&
  Number.isSafeInteger(value.categoryId) &&
  (value.status === undefined || STATUSES.has(value.status));

function create(body, response, createPet) {
  let newPet;
  try {
    newPet = JSON.parse(body);
  } catch {
    return reject(response, 400, 'The body is not JSON');
  }
  if (!isNewPet(newPet)) return reject(response, 400, 'The body is not a pet');
  createPet(response, newPet);
}

function readBody(request, then) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString()));
}

export function serve({ listPets, getPet, createPet }) {
  createServer((request, response) => {
    if (!isAuthorized(request.headers.authorization)) {
      return reject(response, 401, 'The API key is missing or not valid');
    }
    const [path, query] = request.url.split('?', 2);
    if (path === '/v1/pets' && request.method === 'GET') return list(query, response, listPets);
    if (path === '/v1/pets' && request.method === 'POST') {
      return readBody(request, (body) => create(body, response, createPet));
    }
    if (path.startsWith('/v1/pets/') && request.method === 'GET') {
      return get(path.slice('/v1/pets/'.length), response, getPet);
    }
    reject(response, 404, 'No resource at this address');
  }).listen(port, host);
}
