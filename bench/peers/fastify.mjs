// Fastify with JSON schemas for validation and serialisation: https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/
import Fastify from 'fastify';
import { isAuthorized } from './bearer.mjs';
import { host, port } from './environment.mjs';
import { createPet, getPet, listPets } from './store.mjs';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status },
};
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, ...newPet.properties },
};
const error = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};

const app = Fastify();

const reject = (reply, code, message, statusCode) => reply.code(statusCode).send({ code, message, status: statusCode });

app.addHook('onRequest', (request, reply, done) => {
  if (isAuthorized(request.headers.authorization)) done();
  else reject(reply, 'UNAUTHORIZED', 'The API key is missing or not valid', 401);
});

app.setErrorHandler(({ statusCode = 500, message }, request, reply) =>
  statusCode === 400
    ? reject(reply, 'BAD_REQUEST', message, 400)
    : reject(reply, 'INTERNAL_SERVER_ERROR', 'The service failed', statusCode),
);

app.get('/v1/pets', {
  schema: {
    querystring: {
      type: 'object',
      properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
    },
    response: { 200: { type: 'array', items: pet }, '4xx': error },
  },
  handler: async (request) => listPets(request.query.limit, request.query.status),
});

app.post('/v1/pets', {
  schema: { body: newPet, response: { 201: pet, '4xx': error } },
  handler: async (request, reply) => reply.code(201).send(createPet(request.body)),
});

app.get('/v1/pets/:petId', {
  schema: {
    params: { type: 'object', properties: { petId: { type: 'integer' } } },
    response: { 200: pet, '4xx': error },
  },
  handler: async (request, reply) => getPet(request.params.petId) ?? reject(reply, 'NOT_FOUND', 'No such pet', 404),
});

await app.listen({ port, host });
