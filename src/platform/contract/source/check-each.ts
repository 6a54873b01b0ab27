import { StartError } from '../../process/start-error.js';

/**
 * Calls `check` with every item and returns the results. Throws all StartErrors as one, a line each, so that a team can
 * correct several faults before the next start.
 */
export function checkEach<Item, Result>(items: Iterable<Item>, check: (item: Item) => Result): Result[] {
  const results: Result[] = [];
  // A fault in a shared part is found by each that uses it.
  const lines = new Set<string>();
  for (const item of items) {
    try {
      results.push(check(item));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      for (const line of error.message.split('\n')) lines.add(line);
    }
  }
  if (lines.size > 0) throw new StartError([...lines].join('\n'));
  return results;
}
