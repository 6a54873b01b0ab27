import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { addPet, addPets, numbered, pages, type Pet, STATUSES } from '../../support/pets.js';
import type { Client } from '../../support/http/client.js';
import { startApp } from '../../support/start-app.js';

const mixed = (count: number) => numbered(count).map((pet, index) => ({ ...pet, status: STATUSES[index % 3]! }));

/** Adds pets from four concurrent clients until stopped. */
function keepAdding(api: Client): { isUnderWay: () => boolean; stop: () => Promise<Pet[]> } {
  const stopping = new AbortController();
  const added: Pet[] = [];
  const add = async (index: number): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count += 1)
      added.push(await addPet(api, { status: STATUSES[(index + count) % 3]! }));
  };
  const all = Promise.all([0, 1, 2, 3].map(add));
  return {
    isUnderWay: () => STATUSES.every((status) => added.some((pet) => pet.status === status)),
    stop: async () => {
      stopping.abort();
      await all;
      return added;
    },
  };
}

describe('following the Link headers while pets are created', () => {
  it.each([
    ['', 1],
    ['', 7],
    ['', 50],
    ['status=available&', 1],
    ['status=pending&', 7],
    ['status=sold&', 20],
  ])('lists no pet twice and misses none that existed at the start, with %slimit=%i', async (filter, limit) => {
    const { api } = await startApp();
    const status = /=(\w+)/.exec(filter)?.[1];
    const matches = (pet: Pet) => status === undefined || pet.status === status;
    const before = (await addPets(api, mixed(60))).filter(matches);

    const creations = keepAdding(api);
    while (!creations.isUnderWay()) await delay(1);
    const found: Pet[] = [];
    // Creations continue until the walk stops, so it would never reach an end.
    for await (const page of pages(api, `/v1/pets?${filter}limit=${limit}`)) {
      found.push(...page);
      if (found.length >= before.length + 3 * limit) break;
    }
    const all = [...before, ...(await creations.stop()).filter(matches)];

    expect(found.slice(0, before.length)).toStrictEqual(before);
    expect(found.length).toBeGreaterThan(before.length);
    expect(found).toStrictEqual(all.toSorted((a, b) => Number(a.id) - Number(b.id)).slice(0, found.length));
  });

  // Each page is no larger than the number of pets added after it, so the walk cannot end before the creations do.
  it.each([1, 2])(
    'lists every pet once up to the end, including those created meanwhile, in pages of %i',
    async (limit) => {
      const { api } = await startApp();
      const all = await addPets(api, mixed(20));
      const found: Pet[] = [];
      for await (const page of pages(api, `/v1/pets?limit=${limit}`)) {
        found.push(...page);
        if (all.length < 70) all.push(...(await Promise.all([addPet(api), addPet(api)])));
      }
      expect(found).toStrictEqual(all.toSorted((a, b) => Number(a.id) - Number(b.id)));
    },
  );
});
