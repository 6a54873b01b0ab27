import type { Pattern } from './pattern.js';

interface Cost {
  /** The number of ways to match, each of which the rest of the pattern may try. */
  readonly ways: number;
  readonly steps: number;
}

/**
 * An upper bound of the steps in which V8, which tries one way after the other, tests a text of `length` characters.
 * Infinity where no number is large enough.
 */
export function backtrackingSteps(pattern: Pattern, length: number): number {
  const { steps } = costOf(pattern, length);
  const edges = startEdges(pattern);
  return edges > 0 ? steps + length * edges : steps * (length + 1);
}

/** How many `^` fail at every place but the start, where a match can begin only there; otherwise 0. */
function startEdges(pattern: Pattern | undefined): number {
  if (pattern?.kind === 'sequence') return startEdges(pattern.parts[0]);
  if (pattern?.kind !== 'choice') return pattern?.kind === 'edge' && pattern.of === '^' ? 1 : 0;
  const edges = pattern.parts.map(startEdges);
  return edges.includes(0) ? 0 : edges.reduce((sum, one) => sum + one, 0);
}

/** `ignoresCase` is true inside a group that does, where different characters may match the same one. */
function costOf(pattern: Pattern, length: number, ignoresCase = false): Cost {
  switch (pattern.kind) {
    case 'sequence':
      return sequenceCost(pattern.parts, length, ignoresCase);
    case 'choice':
      return choiceCost(pattern.parts, length, ignoresCase);
    case 'repetition':
      // The required ones and a last one, which is given up, may match nothing; the others take a character.
      return repetitionCost(
        costOf(pattern.part, length, ignoresCase),
        pattern.least,
        Math.min(pattern.most, length + pattern.least + 1),
      );
    case 'look':
      // It is left once it has matched in one way.
      return { ways: 1, steps: 1 + costOf(pattern.part, length, ignoresCase).steps };
    case 'flags':
      return costOf(pattern.part, length, ignoresCase || pattern.ignoresCase);
    case 'reference':
      return { ways: 1, steps: length };
    default:
      return { ways: 1, steps: 1 };
  }
}

function sequenceCost(parts: readonly Pattern[], length: number, ignoresCase: boolean): Cost {
  let [ways, steps] = [1, 1];
  for (const part of parts) {
    const cost = costOf(part, length, ignoresCase);
    steps += ways * cost.steps;
    ways *= cost.ways;
  }
  return { ways, steps };
}

function choiceCost(parts: readonly Pattern[], length: number, ignoresCase: boolean): Cost {
  const costs = parts.map((part) => costOf(part, length, ignoresCase));
  const ways = costs.map((cost) => cost.ways);
  return {
    // Of different first characters, only one can match.
    ways: !ignoresCase && areDistinct(parts) ? Math.max(...ways) : ways.reduce((sum, one) => sum + one, 0),
    steps: costs.reduce((sum, cost) => sum + cost.steps, 1),
  };
}

function areDistinct(parts: readonly Pattern[]): boolean {
  const firsts = parts.map(firstOf);
  return firsts.every((first, index) =>
    firsts.slice(index + 1).every((other) => first && other && excludes(first, other)),
  );
}

type Character = Extract<Pattern, { kind: 'character' }>;

/** What a match certainly begins with. */
function firstOf(pattern: Pattern | undefined): Character | undefined {
  if (pattern?.kind === 'sequence') return firstOf(pattern.parts[0]);
  if (pattern?.kind === 'repetition' && pattern.least > 0) return firstOf(pattern.part);
  return pattern?.kind === 'character' ? pattern : undefined;
}

/** False where two classes would have to be compared. */
function excludes(one: Character, other: Character): boolean {
  if (one.literal !== undefined) return !other.accepts(one.literal);
  return other.literal !== undefined && !one.accepts(other.literal);
}

function repetitionCost({ ways, steps }: Cost, least: number, most: number): Cost {
  if (ways === Infinity) return { ways, steps: Infinity };
  if (ways === 1) return { ways: most - least + 1, steps: 1 + most * steps };
  // The sum of ways ** 0 to ways ** most.
  const all = (ways ** (most + 1) - 1) / (ways - 1);
  return { ways: all, steps: 1 + all * steps };
}
