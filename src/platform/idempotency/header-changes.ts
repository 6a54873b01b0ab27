import type { ServerResponse } from 'node:http';

/** All values of each header that differs, or null for one that is removed: name, value, name, value. */
export type HeaderChanges = readonly (string | null)[];

/** What makes the headers `after` of those `before`. Both are name, value, name, value. */
export function headerChanges(before: readonly string[], after: readonly string[]): HeaderChanges {
  const given = valuesByName(before);
  const wanted = valuesByName(after);
  const removed = [...given.keys()].filter((name) => !wanted.has(name));
  const changed = [...wanted].filter(([name, values]) => !isSame(values, given.get(name)));
  return [
    ...removed.flatMap((name) => [name, null]),
    ...changed.flatMap(([name, values]) => values.flatMap((value) => [name, value])),
  ];
}

/** Makes changes to the headers of a response. Those that the changes do not name stay. */
export function changeHeaders(response: ServerResponse, changes: HeaderChanges): void {
  const pairs = pairsOf(changes);
  for (const [name] of pairs) response.removeHeader(name);
  for (const [name, value] of pairs) if (value !== null) response.appendHeader(name, value);
}

function valuesByName(headers: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairsOf(headers)) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function isSame(values: readonly string[], others: readonly string[] = []): boolean {
  return values.length === others.length && values.every((value, index) => value === others[index]);
}

function pairsOf<Value extends string | null>(list: readonly Value[]): [name: string, value: Value][] {
  // The names are at even indexes, and never null.
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name as string, list[index + 1] as Value]] : []));
}
