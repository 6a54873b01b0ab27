import { expect } from '@jest/globals';
import { idOf, pages, walk } from '../support/pets.js';
import type { Client } from '../support/http/client.js';

/** What a walk saw, and what had been answered with 201 before it began. In ids. */
export interface Walk {
  readonly promised: readonly number[];
  readonly seen: readonly number[];
}

/** Walks as far as the last of the pets that are promised: were it to end with the list, creations might keep it going. */
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

/** Walks until the list ends, which is where a creation under way could leave a hole: full pages end before it. */
export async function walkToEnd(api: Client, target: string, promised: readonly number[]): Promise<Walk> {
  const before = [...promised];
  return { promised: before, seen: (await walk(api, target)).map(idOf) };
}

/** That the walks missed no pet that was there before, and that none appeared behind them. Resolves with all ids. */
export async function expectExact(walks: readonly Walk[], api: Client): Promise<number[]> {
  const all = (await walk(api, '/v1/pets?limit=100')).map(idOf);
  for (const { promised, seen } of walks) {
    const set = new Set(seen);
    expect(promised.filter((id) => !set.has(id))).toStrictEqual([]);
    // Were an id to be committed behind a page that was read, it would be here and not there.
    expect(seen).toStrictEqual(all.slice(0, seen.length));
  }
  // Walks that meet no creations prove nothing.
  expect(walks.at(-1)!.promised.length).toBeGreaterThan(walks[0]!.promised.length);
  return all;
}
