import type { Edge, Pattern } from './pattern.js';

/** A place in a pattern. One without a condition leads on at once. */
interface State {
  readonly accepts?: (character: string) => boolean;
  readonly edge?: Edge;
  next: readonly number[];
}

const WORD = /^\w$/;

/** The number of states that `matcherOf` needs at most. It expands a repetition into copies of its part. */
export function statesOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'sequence':
    case 'choice':
      return pattern.parts.reduce((sum, part) => sum + statesOf(part), 1);
    case 'repetition': {
      const copies = pattern.most === Infinity ? pattern.least + 1 : pattern.most;
      return copies * (statesOf(pattern.part) + 1);
    }
    default:
      return 1;
  }
}

/**
 * Tests a text in time proportional to its length, for any pattern without lookaround, backreferences and flags: it
 * follows all ways to match at once, as Thompson's algorithm does (https://swtch.com/~rsc/regexp/regexp1.html).
 */
export function matcherOf(pattern: Pattern): (text: string) => boolean {
  const states: State[] = [{ next: [] }];
  const end = 0;
  const start = addStates(states, pattern, end);
  return (text) => {
    const characters = Array.from(text);
    /** The position at which each state was last reached. */
    const reachedAt = new Int32Array(states.length).fill(-1);
    /** Those that wait for the next character. */
    let waiting: State[] = [];
    for (let at = 0; ; at += 1) {
      // A match may begin anywhere.
      const reached = [start];
      const character = characters[at - 1];
      if (character !== undefined)
        for (const { accepts, next } of waiting) if (accepts?.(character)) reached.push(...next);
      waiting = [];
      for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
        if (index === end) return true;
        if (reachedAt[index] === at) continue;
        reachedAt[index] = at;
        const state = states[index]!; // indexes are those of states
        if (state.accepts) waiting.push(state);
        else if (!state.edge || isAt(state.edge, characters, at)) reached.push(...state.next);
      }
      if (at === characters.length) return false;
    }
  };
}

/** Adds the states of a pattern that is followed by the state `next`, and returns the first of them. */
function addStates(states: State[], pattern: Pattern, next: number): number {
  switch (pattern.kind) {
    case 'character':
      return states.push({ accepts: pattern.accepts, next: [next] }) - 1;
    case 'edge':
      return states.push({ edge: pattern.of, next: [next] }) - 1;
    case 'sequence':
      return pattern.parts.reduceRight((following, part) => addStates(states, part, following), next);
    case 'choice':
      return states.push({ next: pattern.parts.map((part) => addStates(states, part, next)) }) - 1;
    case 'repetition':
      return addCopies(states, pattern, next);
    default:
      throw new Error(`a ${pattern.kind} cannot be matched in linear time`);
  }
}

function addCopies(
  states: State[],
  { part, least, most }: Extract<Pattern, { kind: 'repetition' }>,
  next: number,
): number {
  let first = next;
  if (most === Infinity) {
    const again: State = { next: [] };
    first = states.push(again) - 1;
    again.next = [addStates(states, part, first), next];
  } else {
    for (let copy = least; copy < most; copy += 1) {
      first = states.push({ next: [addStates(states, part, first), next] }) - 1;
    }
  }
  for (let copy = 0; copy < least; copy += 1) first = addStates(states, part, first);
  return first;
}

function isAt(edge: Edge, characters: readonly string[], at: number): boolean {
  if (edge === '^') return at === 0;
  if (edge === '$') return at === characters.length;
  const isBetween = WORD.test(characters[at - 1] ?? '') !== WORD.test(characters[at] ?? '');
  return isBetween === (edge === '\\b');
}
