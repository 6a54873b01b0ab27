import { expect } from '@jest/globals';
import { idOf, pages, walk } from '../support/pets.js';
import type { Client } from '../support/http/client.js';

/** The ids that a walk saw, and those that were acknowledged with 201 before it began. */
export interface Walk {
  readonly acknowledged: readonly number[];
  readonly seen: readonly number[];
}

/** Walks up to the last acknowledged pet. Concurrent creations could prevent a walk from reaching the end of the list. */
export async function walkPast(api: Client, target: string, acknowledged: readonly number[]): Promise<Walk> {
  const before = [...acknowledged];
  const last = Math.max(0, ...before);
  const seen: number[] = [];
  for await (const page of pages(api, target)) {
    seen.push(...page.map(idOf));
    if (seen.at(-1)! > last) break;
  }
  return { acknowledged: before, seen };
}

/** Walks to the end of the list, where a concurrent creation could leave a gap that full pages do not show. */
export async function walkToEnd(api: Client, target: string, acknowledged: readonly number[]): Promise<Walk> {
  const before = [...acknowledged];
  return { acknowledged: before, seen: (await walk(api, target)).map(idOf) };
}

/** Expects that the walks missed no acknowledged pet, and that no smaller id appeared afterwards. Resolves with all ids. */
export async function expectExact(walks: readonly Walk[], api: Client): Promise<number[]> {
  const all = (await walk(api, '/v1/pets?limit=100')).map(idOf);
  for (const { acknowledged, seen } of walks) {
    const set = new Set(seen);
    expect(acknowledged.filter((id) => !set.has(id))).toStrictEqual([]);
    // An id that was committed after its page was read would be in `all` only.
    expect(seen).toStrictEqual(all.slice(0, seen.length));
  }
  // The test is only meaningful if pets were created during the walks.
  expect(walks.at(-1)!.acknowledged.length).toBeGreaterThan(walks[0]!.acknowledged.length);
  return all;
}
