/** What a document says, as a tree: a text is what it says of something, a branch is something it speaks of. */
export interface Facts {
  readonly [name: string]: string | Facts;
}

export interface Sides {
  readonly left: string;
  readonly right: string;
}

/** One sentence for each fact that only one tree has, or that both have differently. */
export function differences(left: Facts, right: Facts, sides: Sides, path: readonly string[] = []): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const [here, there] = [left[name], right[name]];
    if (typeof here === 'object' && typeof there === 'object') return differences(here, there, sides, [...path, name]);
    if (here === there) return [];
    return [sentence([...path, name], here, there, sides)];
  });
}

type Fact = string | Facts | undefined;

function sentence(path: readonly string[], here: Fact, there: Fact, { left, right }: Sides): string {
  const place = path.join(': ');
  if (typeof here !== 'object' && typeof there !== 'object') {
    return `${place} is ${here ?? 'absent'} in ${left}, ${there ?? 'absent'} in ${right}`;
  }
  return `${place} is only in ${here === undefined ? right : left}`;
}
