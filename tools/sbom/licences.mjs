/** SPDX identifiers of licences that ask for no more than their notice: no copyleft, and no limit on use. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]);

const TOKEN = /\(|\)|[^\s()]+/g;

/**
 * Whether the project accepts an SPDX expression such as `(MIT OR GPL-3.0-only)`: of OR, one side suffices. Anything that it
 * cannot read is refused.
 *
 * @param {string | undefined} expression
 */
export function isAccepted(expression) {
  const tokens = (expression ?? '').match(TOKEN) ?? [];
  const result = either(tokens);
  return result && tokens.length === 0;
}

function either(tokens) {
  let result = both(tokens);
  while (tokens[0] === 'OR') {
    tokens.shift();
    // Evaluates each side, which also consumes its tokens.
    const next = both(tokens);
    result ||= next;
  }
  return result;
}

function both(tokens) {
  let result = single(tokens);
  while (tokens[0] === 'AND') {
    tokens.shift();
    const next = single(tokens);
    result &&= next;
  }
  return result;
}

function single(tokens) {
  const token = tokens.shift();
  if (token !== '(') return ACCEPTED.has(token);
  const result = either(tokens);
  return tokens.shift() === ')' && result;
}
