import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { GroupCommit } from '../../src/platform/database/tables/group-commit.js';
import { atEndOfTurn } from '../../src/platform/process/end-of-turn.js';

/** The maximum number of pending items. */
const BOUND = 10_000;
/** An error after which certainly nothing is stored. */
const BAD = new Error('bad');

/** Records each committed group. A group fails as a whole if `fault` returns an error for it. */
function groupCommit(fault: (items: readonly string[]) => unknown = () => undefined) {
  const groups: (readonly string[])[] = [];
  const commits = new GroupCommit<string, string>(
    (items) => {
      const error = fault(items);
      if (error !== undefined) throw error;
      groups.push(items);
      return items.map((item) => `stored ${item}`);
    },
    (error) => error === BAD,
  );
  return { commits, groups };
}

/** The result, or undefined when the event loop has turned often without one: then none will come. */
async function settledSoon<T>(result: Promise<T>): Promise<T | undefined> {
  let settled: T | undefined;
  void result.then((value) => (settled = value));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  return settled;
}

describe('GroupCommit', () => {
  it('resolves only after the commit', async () => {
    const events: string[] = [];
    const commits = new GroupCommit<string, string>(
      (items) => {
        events.push('commit');
        return [...items];
      },
      () => true,
    );
    const resolved = commits.add('a').then((result) => events.push(`resolve ${result}`));
    // Only microtasks have run, so nothing is committed or resolved yet.
    await Promise.resolve();
    expect(events).toStrictEqual([]);
    await resolved;
    expect(events).toStrictEqual(['commit', 'resolve a']);
  });

  it('commits a single item within one turn of the event loop', async () => {
    const { commits, groups } = groupCommit();
    const result = commits.add('a');
    await new Promise<void>((resolve) => atEndOfTurn('commit', resolve));
    expect(groups).toStrictEqual([['a']]);
    expect(await result).toBe('stored a');
  });

  it('leaves time for everything else while a caller adds one item after the other', async () => {
    const { commits } = groupCommit();
    const loop = { hasTurned: false };
    setImmediate(() => (loop.hasTurned = true));
    for (let count = 0; count < 100_000 && !loop.hasTurned; count += 1) await commits.add('a');
    expect(loop.hasTurned).toBe(true);
  });

  it('commits the items of one turn together, in the order of arrival', async () => {
    const { commits, groups } = groupCommit();
    const results = await Promise.all(['c', 'a', 'b'].map((item) => commits.add(item)));
    expect(groups).toStrictEqual([['c', 'a', 'b']]);
    expect(results).toStrictEqual(['stored c', 'stored a', 'stored b']);
  });

  it('commits an item that arrives after a commit in the next one', async () => {
    const { commits, groups } = groupCommit();
    await commits.add('a');
    await commits.add('b');
    expect(groups).toStrictEqual([['a'], ['b']]);
  });

  it('waits for further items while a group is smaller than the last one and grows', async () => {
    let groups: (readonly string[])[] = [];
    // A machine that stalls for longer than the limit commits the first one alone.
    for (let attempt = 0; attempt < 100 && groups.at(-1)?.length !== 2; attempt += 1) {
      const fixture = groupCommit();
      groups = fixture.groups;
      await Promise.all(['a', 'b', 'c'].map((item) => fixture.commits.add(item)));
      await turn();
      const first = fixture.commits.add('d');
      // As from a request that Node reads next.
      await turn();
      await Promise.all([first, fixture.commits.add('e')]);
    }
    expect(groups).toStrictEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('waits for no item when the last group was not larger', async () => {
    const { commits, groups } = groupCommit();
    await commits.add('a');
    await turn();
    const first = commits.add('b');
    await turn();
    await Promise.all([first, commits.add('c')]);
    expect(groups).toStrictEqual([['a'], ['b'], ['c']]);
  });

  it('waits for a few milliseconds at most', async () => {
    const { commits, groups } = groupCommit();
    await Promise.all(['a', 'b', 'c'].map((item) => commits.add(item)));
    await turn();
    const first = commits.add('d');
    for (const start = performance.now(); performance.now() - start < 10;);
    await turn();
    await Promise.all([first, commits.add('e')]);
    expect(groups).toStrictEqual([['a', 'b', 'c'], ['d'], ['e']]);
  });

  it('rejects only a bad item and commits the others in order', async () => {
    const { commits, groups } = groupCommit((items) => (items.includes('bad') ? BAD : undefined));
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => commits.add(item)));
    expect(results).toStrictEqual([
      { status: 'fulfilled', value: 'stored a' },
      { status: 'rejected', reason: BAD },
      { status: 'fulfilled', value: 'stored b' },
    ]);
    expect(groups).toStrictEqual([['a'], ['b']]);
  });

  it('leaves time for everything else while it commits items by themselves, and keeps their order', async () => {
    const [events, count]: [string[], number] = [[], 20];
    const commits = new GroupCommit<string, string>(
      (items) => {
        if (items.length > 1) throw BAD;
        const end = performance.now() + 3;
        while (performance.now() < end); // SQLite commits synchronously
        events.push(...items);
        return [...items];
      },
      (error) => error === BAD,
    );
    const results = Array.from({ length: count }, (_, index) => commits.add(`item ${index}`));
    await results[0];
    const later = commits.add('later');
    setImmediate(() => events.push('else'));
    await Promise.all([...results, later]);
    expect(events.indexOf('else')).toBeGreaterThan(0);
    expect(events.indexOf('else')).toBeLessThan(count);
    expect(events.filter((event) => event !== 'else')).toEqual([...(await Promise.all(results)), 'later']);
  });

  it('rejects all items after one attempt when they may have been stored', async () => {
    const unknown = new TypeError('The result cannot be read.');
    let attempts = 0;
    const { commits } = groupCommit(() => {
      attempts += 1;
      return unknown;
    });
    const results = await Promise.allSettled(['a', 'b'].map((item) => commits.add(item)));
    expect(results).toStrictEqual(Array.from({ length: 2 }, () => ({ status: 'rejected', reason: unknown })));
    expect(attempts).toBe(1);
  });

  it('rejects all items after one attempt when the database is unavailable', async () => {
    const unavailable = new DatabaseUnavailable();
    let attempts = 0;
    const { commits } = groupCommit(() => {
      attempts += 1;
      return unavailable;
    });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => commits.add(item)));
    expect(results).toStrictEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: unavailable })));
    expect(attempts).toBe(1);
  });

  it('rejects the items that arrived during a commit when the database turns out to be unavailable', async () => {
    const unavailable = new DatabaseUnavailable();
    const attempts: (readonly string[])[] = [];
    let fail: (error: DatabaseUnavailable) => void = () => {};
    const commits = new GroupCommit<string, string>(
      (items) => {
        attempts.push(items);
        if (attempts.length > 1) return [...items];
        return new Promise((_, reject) => (fail = reject));
      },
      () => true,
    );
    const first = commits.add('a');
    while (attempts.length === 0) await turn();
    const results = Promise.allSettled([first, commits.add('b'), commits.add('c')]);
    fail(unavailable);
    expect(await settledSoon(results)).toStrictEqual(
      Array.from({ length: 3 }, () => ({ status: 'rejected', reason: unavailable })),
    );
    expect(attempts).toStrictEqual([['a']]);
    expect(await commits.add('d')).toBe('d');
  });

  it('commits the items that arrived during a commit when only an item of that commit is bad', async () => {
    let reject: (error: Error) => void = () => {};
    const groups: (readonly string[])[] = [];
    const commits = new GroupCommit<string, string>(
      (items) => {
        groups.push(items);
        return items.includes('bad') ? new Promise((_, fail) => (reject = fail)) : [...items];
      },
      (error) => error === BAD,
    );
    const bad = commits.add('bad');
    while (groups.length === 0) await turn();
    const results = Promise.allSettled([bad, commits.add('a'), commits.add('b')]);
    reject(BAD);
    expect(await settledSoon(results)).toStrictEqual([
      { status: 'rejected', reason: BAD },
      { status: 'fulfilled', value: 'a' },
      { status: 'fulfilled', value: 'b' },
    ]);
    expect(groups).toStrictEqual([['bad'], ['a', 'b']]);
  });

  it('rejects the rest after one attempt when the database becomes unavailable between single commits', async () => {
    const unavailable = new DatabaseUnavailable();
    let attempts = 0;
    const { commits } = groupCommit((items) => {
      attempts += 1;
      if (items.includes('bad')) return BAD;
      return items.includes('down') ? unavailable : undefined;
    });
    const results = await Promise.allSettled(['a', 'bad', 'down', 'b', 'c'].map((item) => commits.add(item)));
    expect(results).toStrictEqual([
      { status: 'fulfilled', value: 'stored a' },
      { status: 'rejected', reason: BAD },
      ...Array.from({ length: 3 }, () => ({ status: 'rejected', reason: unavailable })),
    ]);
    expect(attempts).toBe(4);
  });

  it('rejects an item over the limit at once and accepts items again after the commit', async () => {
    const { commits, groups } = groupCommit();
    const waiting = Promise.all(Array.from({ length: BOUND }, (_, index) => commits.add(String(index))));
    await expect(commits.add('beyond')).rejects.toThrow(DatabaseUnavailable);
    expect(groups).toStrictEqual([]);
    expect(await waiting).toHaveLength(BOUND);
    expect(await commits.add('again')).toBe('stored again');
    expect(groups.map(({ length }) => length)).toStrictEqual([BOUND, 1]);
  });
});
