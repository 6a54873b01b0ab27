import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  badRequest,
  CATEGORY_VIOLATED,
  NAME_VIOLATED,
  outcome,
  petNotFound,
  STATUS_VIOLATED,
} from '../properties/outcome.js';
import { addPet, addPets, numbered, type Pet, STATUSES } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract, servedField, servedOperation, servedSchema } from './served-contract.js';

let service: StartedApp;

beforeAll(async () => {
  service = await startApp();
});

const post = async (body: unknown) => outcome(await service.api.post('/v1/pets', body));

describe('PetStatus', () => {
  it('PetStatus (string enumeration)', async () => {
    const { type, enum: values } = await servedSchema(service.api, 'PetStatus');
    expect({ type, isEnumeration: Array.isArray(values) }).toStrictEqual({ type: 'string', isEnumeration: true });
  });

  it('Allowed values: `available`, `pending`, `sold`.', async () => {
    const { enum: values } = await servedSchema(service.api, 'PetStatus');
    const pets = await Promise.all(STATUSES.map((status) => addPet(service.api, { status })));
    expect(values).toStrictEqual(['available', 'pending', 'sold']);
    expect(pets.map(({ status }) => status)).toStrictEqual(['available', 'pending', 'sold']);
    expect(await post({ name: 'Rex', categoryId: 7, status: 'lost' })).toStrictEqual(badRequest(STATUS_VIOLATED));
  });
});

describe('NewPet', () => {
  it('NewPet (request body for adding an animal)', async () => {
    const { requestBody } = await servedOperation(service.api, 'createPet');
    expect(requestBody!.content!['application/json']!.schema).toStrictEqual(await servedSchema(service.api, 'NewPet'));
  });

  it("`name` of NewPet is a string and required: the animal's name", async () => {
    expect(await servedField(service.api, 'NewPet', 'name')).toStrictEqual({
      type: 'string',
      format: undefined,
      values: undefined,
      required: true,
      description: expect.stringContaining("The animal's name."),
    });
    expect(await addPet(service.api, { name: 'Tom' })).toMatchObject({ name: 'Tom' });
    expect(await post({ categoryId: 7 })).toStrictEqual(badRequest('name is required'));
    expect(await post({ name: 1, categoryId: 7 })).toStrictEqual(badRequest(NAME_VIOLATED));
  });

  it('`categoryId` of NewPet is an int64 integer and required: identifier of the category the animal belongs to', async () => {
    expect(await servedField(service.api, 'NewPet', 'categoryId')).toStrictEqual({
      type: 'integer',
      format: 'int64',
      values: undefined,
      required: true,
      description: 'Identifier of the category the animal belongs to.',
    });
    const bounds = [-(2n ** 63n), 2n ** 63n - 1n];
    expect(
      await addPets(
        service.api,
        bounds.map((categoryId) => ({ categoryId })),
      ),
    ).toMatchObject(bounds.map((categoryId) => ({ categoryId })));
    expect(await post({ name: 'Rex' })).toStrictEqual(badRequest('categoryId is required'));
    expect(await post({ name: 'Rex', categoryId: 1.5 })).toStrictEqual(badRequest(CATEGORY_VIOLATED));
    expect(await post({ name: 'Rex', categoryId: 2n ** 63n })).toStrictEqual(badRequest(CATEGORY_VIOLATED));
  });

  it('`status` of NewPet is a PetStatus and not required: availability of the animal', async () => {
    expect(await servedField(service.api, 'NewPet', 'status')).toStrictEqual({
      type: 'string',
      format: undefined,
      values: ['available', 'pending', 'sold'],
      required: false,
      description: 'Availability of the animal.',
    });
    expect((await post({ name: 'Rex', categoryId: 7 })).status).toBe(201);
    expect((await post({ name: 'Rex', categoryId: 7, status: 'pending' })).status).toBe(201);
  });
});

describe('Pet', () => {
  it('Pet (animal as returned)', async () => {
    const pet = await servedSchema(service.api, 'Pet');
    const schemaOf = async (operation: string, status: number) =>
      (await servedOperation(service.api, operation)).responses[status]!.content!['application/json']!.schema;
    expect(await schemaOf('createPet', 201)).toStrictEqual(pet);
    expect(await schemaOf('getPet', 200)).toStrictEqual(pet);
    expect((await schemaOf('listPets', 200))!.items).toStrictEqual(pet);
  });

  it('All fields of NewPet, plus:', async () => {
    const newPet = await servedSchema(service.api, 'NewPet');
    const pet = await servedSchema(service.api, 'Pet');
    const { id: _, ...rest } = pet.properties!;
    expect(rest).toStrictEqual(newPet.properties);
    const body = { name: 'Rex', categoryId: 7, status: 'sold' } as const;
    expect(await addPet(service.api, body)).toStrictEqual({ id: expect.any(Number), ...body });
  });

  it('`id` of Pet is an int64 integer and required: unique identifier assigned by the service on creation', async () => {
    expect(await servedField(service.api, 'Pet', 'id')).toStrictEqual({
      type: 'integer',
      format: 'int64',
      values: undefined,
      required: true,
      description: 'Unique identifier assigned by the service on creation.',
    });
    const pets = await Promise.all(numbered(30).map((pet) => addPet(service.api, pet)));
    expect(new Set(pets.map(({ id }) => id)).size).toBe(30);
    const own = (await post({ id: 999_999, name: 'Rex', categoryId: 7 })).body as Pet;
    expect(own.id).not.toBe(999_999);
    expect(outcome(await service.api.get('/v1/pets/999999'))).toStrictEqual(petNotFound(999_999));
  });

  it('The required fields of a returned Pet are therefore `id`, `name`, `categoryId`; `status` is optional.', async () => {
    const { required, properties } = await servedSchema(service.api, 'Pet');
    expect(required!.toSorted()).toStrictEqual(['categoryId', 'id', 'name']);
    expect(Object.keys(properties!).toSorted()).toStrictEqual(['categoryId', 'id', 'name', 'status']);
    const { api } = await startApp();
    await addPets(api, [{ name: 'Rex', status: 'sold' }, { name: 'Tom' }]);
    expect(outcome(await api.get('/v1/pets'))).toStrictEqual({
      status: 200,
      body: [
        { id: 1, name: 'Rex', categoryId: 7, status: 'sold' },
        { id: 2, name: 'Tom', categoryId: 7 },
      ],
    });
  });
});

describe('Pets', () => {
  it('An array of Pet objects.', async () => {
    const { type, items } = await servedSchema(service.api, 'Pets');
    expect({ type, items }).toStrictEqual({ type: 'array', items: await servedSchema(service.api, 'Pet') });
    const { api } = await startApp();
    const pets = await addPets(api, numbered(3));
    expect((await api.get('/v1/pets')).json).toStrictEqual(pets);
  });
});

describe('Error', () => {
  it('`code` of Error is a string and required: machine-readable error code', async () => {
    expect(await servedField(service.api, 'Error', 'code')).toMatchObject({
      type: 'string',
      values: undefined,
      required: true,
      description: 'Machine-readable error code.',
    });
    const { json } = await service.api.get('/v1/pets', { key: null });
    expect(json).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('`message` of Error is a string and required: human-readable description', async () => {
    expect(await servedField(service.api, 'Error', 'message')).toMatchObject({
      type: 'string',
      required: true,
      description: 'Human-readable description.',
    });
    const { json } = await service.api.get('/v1/pets', { key: null });
    expect(json).toMatchObject({ message: expect.stringMatching(/^The API key is missing; send it as /) });
  });

  it('`status` of Error is an integer and required: the HTTP status code of the response', async () => {
    expect(await servedField(service.api, 'Error', 'status')).toMatchObject({
      type: 'integer',
      required: true,
      description: 'The HTTP status code of the response.',
    });
    const rejected = [
      await service.api.post('/v1/pets', {}),
      await service.api.get('/v1/pets', { key: null }),
      await service.api.get('/v1/pets/0'),
      await service.api.request('DELETE', '/v1/pets'),
    ];
    expect(rejected.map(({ json }) => (json as { status: number }).status)).toStrictEqual([400, 401, 404, 405]);
    expect(rejected.map(({ status }) => status)).toStrictEqual([400, 401, 404, 405]);
  });
});

describe('States and transitions', () => {
  it("An animal's `status` takes one of: `available`, `pending`, `sold`.", async () => {
    const { api } = await startApp();
    const pets = await addPets(
      api,
      STATUSES.map((status) => ({ status })),
    );
    const rejected = await Promise.all(
      ['adopted', 'Sold', '', null].map((status) => api.post('/v1/pets', { name: 'Rex', categoryId: 7, status })),
    );
    expect(rejected.map(outcome)).toStrictEqual(rejected.map(() => badRequest(STATUS_VIOLATED)));
    expect((await api.get('/v1/pets')).json).toStrictEqual(pets);
  });

  it("No operation that changes an existing animal's status is given.", async () => {
    const { '/pets': pets, '/pets/{petId}': pet } = (await servedContract(service.api)).paths;
    const methods = [pets!, pet!].flatMap((item) => Object.keys(item));
    expect(methods.toSorted()).toStrictEqual(['get', 'get', 'post']);
    const { id, status } = await addPet(service.api, { status: 'available' });
    const responses = [];
    for (const method of ['PUT', 'PATCH', 'POST', 'DELETE']) {
      responses.push(await service.api.request(method, `/v1/pets/${id}`, { body: { status: 'sold' } }));
    }
    expect(responses.map((response) => response.status)).toStrictEqual([405, 405, 405, 405]);
    expect((await service.api.get(`/v1/pets/${id}`)).json).toMatchObject({ status });
  });
});
