// Express with express-openapi-validator and our own contract: https://cdimascio.github.io/express-openapi-validator-documentation/
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isAuthorized } from './bearer.mjs';
import { host, port } from './environment.mjs';
import { createPet, getPet, listPets } from './store.mjs';

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
// The validator finds no base path in a server address that consists of one variable.
const apiSpec = { ...contract, servers: [{ url: '/v1' }] };

const app = express();

app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateSecurity: { handlers: { apiKey: (request) => isAuthorized(request.headers.authorization) } },
  }),
);

app.get('/v1/pets', (request, response) => {
  response.json(listPets(request.query.limit, request.query.status));
});

app.post('/v1/pets', (request, response) => {
  response.status(201).json(createPet(request.body));
});

app.get('/v1/pets/:petId', (request, response) => {
  const pet = getPet(request.params.petId);
  if (pet === undefined) response.status(404).json({ code: 'NOT_FOUND', message: 'No such pet', status: 404 });
  else response.json(pet);
});

// Express recognises an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  response.status(status).json({ code: error.name, message: error.message, status });
});

app.listen(port, host);
