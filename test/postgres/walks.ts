import { expect } from '@jest/globals';
import { idOf, pages, walk } from '../support/pets.js';
import type { Client } from '../support/http/client.js';

/** The ids that a walk saw, and those that were acknowledged with 201 before it began. */
export interface Walk {
  readonly promised: readonly number[];
  readonly seen: readonly number[];
}

/** Walks up to the last promised pet. Creations could keep a walk to the end of the list going. */
export async function walkPast(api: Client, target: string, promised: readonly number[]): Promise<Walk> {
  const before = [...promised];
  const last = Math.max(0, ...before);
  const seen: number[] = [];
  for await (const page of pages(api, target)) {
    seen.push(...page.map(idOf));
    if (seen.at(-1)! > last) break;
  }
  return { promised: before, seen };
}

/** Walks to the end of the list, where a concurrent creation could leave a hole that full pages do not show. */
export async function walkToEnd(api: Client, target: string, promised: readonly number[]): Promise<Walk> {
  const before = [...promised];
  return { promised: before, seen: (await walk(api, target)).map(idOf) };
}

/** Expects that the walks missed no promised pet, and that no smaller id appeared afterwards. Resolves with all ids. */
export async function expectExact(walks: readonly Walk[], api: Client): Promise<number[]> {
  const all = (await walk(api, '/v1/pets?limit=100')).map(idOf);
  for (const { promised, seen } of walks) {
    const set = new Set(seen);
    expect(promised.filter((id) => !set.has(id))).toStrictEqual([]);
    // An id that was committed after its page was read would be in `all` only.
    expect(seen).toStrictEqual(all.slice(0, seen.length));
  }
  // The test is only meaningful if pets were created during the walks.
  expect(walks.at(-1)!.promised.length).toBeGreaterThan(walks[0]!.promised.length);
  return all;
}
