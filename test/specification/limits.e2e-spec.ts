import { beforeAll, describe, expect, it } from '@jest/globals';
import { badRequest, LIMIT_VIOLATED, outcome } from '../properties/outcome.js';
import { addPets, numbered, type Pet, typed } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';

describe('Limits', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addPets(service.api, numbered(101));
  });

  it('The `limit` minimum of `GET /pets` is 1', async () => {
    const responses = [
      await service.api.call.listPets({ query: { limit: 1 } }),
      await service.api.call.listPets({ query: { limit: 0 } }),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 200, body: typed(pets.slice(0, 1)) },
      badRequest(LIMIT_VIOLATED),
    ]);
  });

  it('The `limit` maximum of `GET /pets` is 100', async () => {
    const responses = [
      await service.api.call.listPets({ query: { limit: 100 } }),
      await service.api.call.listPets({ query: { limit: 101 } }),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 200, body: typed(pets.slice(0, 100)) },
      badRequest(LIMIT_VIOLATED),
    ]);
  });

  it('The `limit` default of `GET /pets` is 20', async () => {
    const response = await service.api.call.listPets();
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, 20)) });
  });
});
