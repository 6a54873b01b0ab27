import { compilePattern } from '../patterns/compile-pattern.js';
import type { ContractNode } from '../source/contract-node.js';
import { sizeText } from './check.js';
import { FORMATS } from './formats.js';
import type { Scalar } from './scalar.js';

/** The rule of a string. Text with unpaired surrogates is not Unicode, and never valid. */
export function textRule(schema: ContractNode): Scalar {
  const least = Number(schema.get('minLength')?.value ?? 0);
  const most = Number(schema.get('maxLength')?.value ?? Infinity);
  const pattern = schema.get('pattern');
  if (schema.get('format')?.value === 'binary') {
    schema.need('format').fail('the format "binary" is for a response that is not JSON; use "byte"');
  }
  const format = FORMATS.string?.[schema.get('format')?.text() ?? ''];
  const checks: ((text: string) => boolean)[] = [];
  if (least > 0) checks.push((text) => text.length >= least && (text.length >= 2 * least || lengthOf(text) >= least));
  if (most < Infinity)
    checks.push((text) => text.length <= most || (text.length <= 2 * most && lengthOf(text) <= most));
  // After the length, which limits the steps of the pattern.
  if (pattern) checks.push(compilePattern(pattern, most));
  if (format) checks.push(format.isValid);
  return {
    demand: `must be ${format?.noun ?? 'a string'}${sizeText(least, most, 'character')}${pattern ? ` that matches ${pattern.text()}` : ''}`,
    isValid: allOf(checks),
  };
}

function allOf(checks: readonly ((text: string) => boolean)[]): Scalar['isValid'] {
  const [only, second] = checks;
  if (!only) return (value) => typeof value === 'string' && value.isWellFormed();
  if (!second) return (value) => typeof value === 'string' && value.isWellFormed() && only(value);
  return (value) => typeof value === 'string' && value.isWellFormed() && checks.every((check) => check(value));
}

/** In characters of Unicode. A character is at most two units of a JavaScript string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
