import type { ContractNode } from '../source/contract-node.js';
import { backtrackingSteps } from './backtracking-steps.js';
import { matcherOf, statesOf } from './linear-matcher.js';
import { type Pattern, readPattern } from './pattern.js';

/** Characters of a text without `maxLength`: the limit of a body by default. */
const LONGEST = 102_400;
/** Of V8, for one text: a few milliseconds. */
const MOST_STEPS = 1_000_000;
/** Of the linear matcher: less than a second on a slow machine. */
const MOST_VISITS = 10_000_000;

/**
 * The test of a `pattern`. V8 backtracks: it may try exponentially many ways to match a text, which blocks the event loop.
 * Where that may take too many steps, the pattern is matched in linear time; one that cannot be stops the start.
 */
export function compilePattern(node: ContractNode, maxLength: number): (text: string) => boolean {
  const source = node.text();
  const expression = RegExp(source, 'u');
  const pattern = readPattern(source);
  const length = Math.min(maxLength, LONGEST);
  if (backtrackingSteps(pattern, length) <= MOST_STEPS) return (text) => expression.test(text);
  if (!isRegular(pattern))
    node.failAtName(
      'this pattern may need so many steps for a text that no other request is served; write it without lookahead, lookbehind, backreferences and flags, or lower "maxLength"',
    );
  if (statesOf(pattern) * length > MOST_VISITS)
    node.failAtName(
      'this pattern may need so many steps for a text that no other request is served; lower its repetitions or "maxLength"',
    );
  return matcherOf(pattern);
}

function isRegular(pattern: Pattern): boolean {
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') return pattern.parts.every(isRegular);
  if (pattern.kind === 'repetition') return isRegular(pattern.part);
  return pattern.kind === 'character' || pattern.kind === 'edge';
}
