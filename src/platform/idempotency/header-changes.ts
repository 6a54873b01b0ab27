import type { ServerResponse } from 'node:http';

/** All values of each header that differs, or null for one that is removed: name, value, name, value. */
export type HeaderChanges = readonly (string | null)[];

/** What makes the headers `after` of those `before`. Both are name, value, name, value. */
export function headerChanges(before: readonly string[], after: readonly string[]): HeaderChanges {
  const given = valuesByName(before);
  const wanted = valuesByName(after);
  const removed = pairsOf(before).filter(([name]) => !wanted.has(name.toLowerCase()));
  const changed = pairsOf(after).filter(([name]) => {
    const key = name.toLowerCase();
    return wanted.get(key)?.join('\n') !== given.get(key)?.join('\n');
  });
  return [...changed.flat(), ...removed.flatMap(([name]) => [name, null])];
}

/** Makes changes to the headers of a response. Others stay, and so does the order in which Node sends them. */
export function changeHeaders(response: ServerResponse, changes: HeaderChanges): void {
  const replaced = new Set<string>();
  for (const [name, value] of pairsOf(changes)) {
    const key = name.toLowerCase();
    if (value === null) response.removeHeader(name);
    else if (replaced.has(key)) response.appendHeader(name, value);
    else response.setHeader(name, value);
    replaced.add(key);
  }
}

function valuesByName(headers: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairsOf(headers)) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function pairsOf<Value extends string | null>(list: readonly Value[]): [name: string, value: Value][] {
  // The names are at even indexes, and never null.
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name as string, list[index + 1] as Value]] : []));
}
