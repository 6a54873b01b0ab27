/** A path of the contract that has parameters. */
export interface PathTemplate {
  /** Its groups are the parameters. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

export function pathTemplate(path: string): PathTemplate {
  const [start = '', ...texts] = path.split(/\{\w+\}/);
  const source = texts.map((text, index) => parameter(text, index === texts.length - 1) + literal(text));
  return { pattern: new RegExp(`^${literal(start)}${source.join('')}$`), names: parameterNames(path) };
}

export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * `next` is the text after the parameter. If another parameter follows in the same segment, the value ends at the first
 * occurrence of `next`: trying several ends would make long paths slow.
 */
function parameter(next: string, isLast: boolean): string {
  return isLast || next.includes('/') ? '([^/]+)' : `((?:(?!${literal(next)})[^/])+)`;
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Sorts paths that may match the same requests. The one with more text of its own comes first: `/{id}.csv` before `/{id}`. */
export function byOwnText(one: string, other: string): number {
  const others = other.split('/').map(ownText);
  const differences = one.split('/').map((segment, index) => (others[index] ?? 0) - ownText(segment));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The length of the text beside the parameters of a segment; a segment without parameters counts as the longest. */
function ownText(segment: string): number {
  const text = segment.replaceAll(/\{\w+\}/g, '');
  return text === segment ? Number.MAX_SAFE_INTEGER : text.length;
}
