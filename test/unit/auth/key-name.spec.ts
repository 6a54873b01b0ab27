import { describe, expect, it } from '@jest/globals';
import { nameProblem } from '../../../src/auth/key-name.js';

const INVALID =
  'The name is not valid; choose 1 to 64 letters, digits, punctuation marks, symbols and spaces, without a space at either end.';

describe('the name of a new API key', () => {
  it.each([
    ['a word', 'shop'],
    ['of several words', 'web shop, second till'],
    ['with other letters and marks', 'Žofie हिन्दी'],
    ['with punctuation and symbols', `team/shop-1 "main" <a+b> €`],
    ['of 64 characters', 'x'.repeat(64)],
    ['of 64 characters beyond the basic plane', '🐈'.repeat(64)],
    ['that only contains API_KEYS', 'API_KEYS 1 of staging'],
  ])('may be one %s', (_, name) => {
    expect(nameProblem(name)).toBeUndefined();
  });

  it.each([
    ['without a character', ''],
    ['of a space', ' '],
    ['with a space at its start', ' shop'],
    ['with a space at its end', 'shop '],
    ['of 65 characters', 'x'.repeat(65)],
    ['with a line feed', 'shop\n{"level":30}'],
    ['with a tab', 'a\tb'],
    ['with an escape sequence', 'shop\u001b[31m'],
    ['with a control character of Latin 1', 'shop\u009b31m'],
    ['with a separator of lines', 'a\u2028b'],
    ['with a change of direction', 'a\u202eb'],
    ['with an invisible character', 'a\u200bb'],
    ['with half a character', 'a\ud800'],
  ])('must not be one %s', (_, name) => {
    expect(nameProblem(name)).toBe(INVALID);
  });

  it.each(['API_KEYS 1', 'API_KEYS 27', 'api_keys 1'])(
    'must not be %s, as the log calls a key of the variable',
    (name) => {
      expect(nameProblem(name)).toBe(
        `The name "${name}" is reserved for the log, where it means a key of the variable API_KEYS; choose another name.`,
      );
    },
  );
});
