import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { backtrackingSteps } from '../../src/platform/contract/patterns/backtracking-steps.js';
import { matcherOf, statesOf } from '../../src/platform/contract/patterns/linear-matcher.js';
import { type Pattern, readPattern } from '../../src/platform/contract/patterns/pattern.js';
import { repetitions } from '../support/run/effort.js';

const CHARACTERS = ['a', 'b', '-', '1', ' ', '\n', '\u{1F431}', 'é', '\u2028'];

/** Single characters in every spelling. */
const CHARACTER = fc.constantFrom(
  'a',
  'b',
  '-',
  '1',
  'é',
  '\u{1F431}',
  '.',
  String.raw`\.`,
  String.raw`\/`,
  String.raw`\n`,
  String.raw`\x61`,
  String.raw`\u0062`,
  String.raw`\u{1F431}`,
  String.raw`\ud83d\udc31`,
  String.raw`\cJ`,
  String.raw`\d`,
  String.raw`\W`,
  String.raw`\s`,
  String.raw`\0`,
  '[ab]',
  '[^a]',
  '[a-]',
  String.raw`[\]a]`,
  String.raw`[^\]\s]`,
  '[]',
  '[^]',
  '[\u{1F431}é]',
  '[(|)*]',
  String.raw`\p{L}`,
  String.raw`\P{L}`,
  String.raw`\p{Script=Greek}`,
);
const EDGE = fc.constantFrom('^', '$', String.raw`\b`, String.raw`\B`);
const QUANTIFIER = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{0}',
  '{1,}',
  '{0,2}',
  '{1,3}?',
  '{2,}?',
);
const { pattern: PATTERN } = fc.letrec<{ pattern: string; sequence: string; part: string }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(CHARACTER, QUANTIFIER).map((pair) => pair.join('')),
    EDGE,
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('pattern'), QUANTIFIER)
      .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
  ),
}));
/** Two groups cannot have one name, and no digit may follow `\\0`. */
const VALID_PATTERN = PATTERN.map((source) => source.replaceAll('(?<name>', (_, at: number) => `(?<n${at}>`)).filter(
  (source) => !/\\0\d/.test(source),
);
const TEXT = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 8 }).map((characters) => characters.join(''));

/** A random pattern may take V8 hours to match eight characters. */
const MOST_STEPS = 1_000_000;
const boundOf = (pattern: Pattern, text: string) => backtrackingSteps(pattern, Array.from(text).length);

/**
 * Tries all ways one after the other, as V8 does, and counts the characters and edges that it asks. Throws beyond MOST_STEPS.
 */
function stepsOf(pattern: Pattern, text: string): number {
  const characters = Array.from(text);
  let steps = 0;
  const count = (): void => {
    steps += 1;
    if (steps > MOST_STEPS) throw new Error('more steps than any bound that is tried');
  };
  const isAt = (at: number): boolean => matches(pattern, at, () => false);
  const matches = (part: Pattern, at: number, next: (at: number) => boolean): boolean => {
    switch (part.kind) {
      case 'character':
        count();
        return at < characters.length && part.accepts(characters[at] ?? '') && next(at + 1);
      case 'edge':
        count();
        return RegExp(`^[^]{${at}}${part.of}`, 'u').test(text) && next(at);
      case 'sequence': {
        const from = (index: number, position: number): boolean => {
          const following = part.parts[index];
          return following ? matches(following, position, (end) => from(index + 1, end)) : next(position);
        };
        return from(0, at);
      }
      case 'choice':
        return part.parts.some((one) => matches(one, at, next));
      case 'repetition': {
        const again = (times: number, position: number): boolean => {
          const isMore =
            times < part.most &&
            matches(part.part, position, (end) => (end > position || times < part.least) && again(times + 1, end));
          return isMore || (times >= part.least && next(position));
        };
        return again(0, at);
      }
      default:
        throw new Error(part.kind);
    }
  };
  for (let at = 0; at <= characters.length; at += 1) isAt(at);
  return steps;
}

describe('a pattern that is matched in linear time', () => {
  it('accepts the texts that RegExp accepts', () => {
    fc.assert(
      fc.property(VALID_PATTERN, fc.array(TEXT, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const pattern = readPattern(source);
        const matches = matcherOf(pattern);
        const expression = RegExp(source, 'u');
        const tried = texts.filter((text) => boundOf(pattern, text) <= MOST_STEPS);
        // V8 finds \B inside of a surrogate pair, which ECMA-262 does not.
        fc.pre(!(source.includes(String.raw`\B`) && texts.join('').includes('\u{1F431}')));
        for (const text of tried) expect([source, text, matches(text)]).toEqual([source, text, expression.test(text)]);
      }),
      { numRuns: repetitions(4_000) },
    );
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['^(a+)+$', ['a', 'a'.repeat(50_000)], ['', `${'a'.repeat(50_000)}!`]],
    [String.raw`^([a-zA-Z0-9]+[._-]?)+@x\.test$`, ['ann.b_c@x.test'], [`${'a'.repeat(40)}!`, '@x.test', 'ann@xytest']],
    ['^(a|aa)+$', ['aaa'], [`${'a'.repeat(1_000)}b`]],
    ['^(a{1,30}){1,30}$', ['a'.repeat(900)], ['a'.repeat(901), '']],
    ['^(?:a?){30}a{30}$', ['a'.repeat(30), 'a'.repeat(60)], ['a'.repeat(29), 'a'.repeat(61)]],
    [String.raw`\bcat\b|\Bdog`, ['a cat', 'hotdog'], ['concatenate', 'dog']],
    [String.raw`^\u{1F431}{2}$`, ['\u{1F431}\u{1F431}'], ['\u{1F431}']],
    ['^[^]$', ['\u{1F431}', '\n'], ['', 'ab']],
  ])('%s', (source, valid, invalid) => {
    const matches = matcherOf(readPattern(source));
    expect(valid.filter(matches)).toEqual(valid);
    expect(invalid.filter(matches)).toEqual([]);
  });

  it.each([
    ['^a$', 4],
    ['^(a{1,30}){1,30}$', 30 * (30 * 2 + 2) + 3],
    ['(ab|c)*', 8],
  ])('has a known number of states: %s', (source, count) => {
    expect(statesOf(readPattern(source))).toBe(count);
  });
});

describe('the steps of a pattern', () => {
  it('are never more than their bound', () => {
    fc.assert(
      fc.property(VALID_PATTERN, TEXT, (source, text) => {
        const pattern = readPattern(source);
        const bound = boundOf(pattern, text);
        fc.pre(bound <= MOST_STEPS);
        expect([source, text, stepsOf(pattern, text) <= bound]).toEqual([source, text, true]);
      }),
      { numRuns: repetitions(4_000) },
    );
  });

  it.each<[string, number]>([
    [String.raw`^[^\u0000]*$`, 102_400],
    ['^[a-z]+$', 102_400],
    [String.raw`^(0|[1-9]\d*)(\.\d{1,2})?$`, 1_000],
    [String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`, 102_400],
    [String.raw`^("([ !#-\[\]-~]|\\["\\]){1,255}"|[A-Za-z0-9._~:+/=-]{1,255})$`, 102_400],
    [String.raw`^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$`, 1_000],
    [String.raw`\d+$`, 50],
  ])('are few enough for V8: %s with %d characters', (source, length) => {
    expect(backtrackingSteps(readPattern(source), length)).toBeLessThan(1_000_000);
  });

  it.each<[string, number]>([
    ['(a+)+$', 20],
    ['^(a|a)*$', 20],
    ['^(a|aa)+$', 50],
    [String.raw`^([a-zA-Z0-9]+[._-]?)+@x\.test$`, 50],
    ['^(a{1,30}){1,30}$', 100],
    ['^(?:a?){30}a{30}$', 100],
    [String.raw`\s+$`, 10_000],
    ['^.*a.*b.*c$', 1_000],
    ['(?:(?=a+b)a)+', 10_000],
    ['^(?i:a|A)*b$', 64],
  ])('may be too many for V8: %s with %d characters', (source, length) => {
    expect(backtrackingSteps(readPattern(source), length)).toBeGreaterThan(1_000_000);
  });
});
