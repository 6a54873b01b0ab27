import { compileCheck } from '../schemas/compile-check.js';
import { taggedAlternatives, tagOf } from '../schemas/union-check.js';
import type { ContractNode } from '../source/contract-node.js';
import { notA } from './json-writers.js';

type Writer = (value: unknown) => string;

/** Writes a value as the alternative that it matches. */
export function unionWriter(
  schema: ContractNode,
  keyword: 'oneOf' | 'anyOf',
  compile: (part: ContractNode) => Writer,
): Writer {
  const discriminator = schema.get('discriminator');
  if (discriminator) {
    const tag = discriminator.need('propertyName').text();
    const writers = new Map([...taggedAlternatives(schema, keyword)].map(([name, part]) => [name, compile(part)]));
    return (value) => {
      const write = writers.get(tagOf(value, tag) as string);
      if (!write) throw notA('declared alternative', value);
      return write(value);
    };
  }
  const alternatives = schema
    .need(keyword)
    .children()
    .map((part) => ({ isValid: compileCheck(part, 'response').isValid, write: compile(part) }));
  return (value) => {
    const [first, second] = alternatives.filter(({ isValid }) => isValid(value));
    if (!first || (keyword === 'oneOf' && second)) throw notA(`match of ${keyword}`, value);
    return first.write(value);
  };
}
