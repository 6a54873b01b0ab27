/** A document as a tree: branches are its parts, and leaves are the values of their properties. */
export interface Facts {
  readonly [name: string]: string | Facts;
}

export interface Sides {
  readonly left: string;
  readonly right: string;
}

/** One sentence for each fact that differs or is missing in one tree. */
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
