import type { ContractNode } from '../source/contract-node.js';
import { canonicalText } from '../../values/canonical-text.js';
import { type Check, type Compile, type Direction, inside, sentence, sizeText, withDefaults } from './check.js';
import { ignoresInside } from './ignored-members.js';
import { isFlagged, isScalarOnly } from './schema-type.js';
import { shown } from '../../values/shown.js';

export function arrayCheck(schema: ContractNode, direction: Direction, compile: Compile): Check {
  const items = compile(schema.need('items'));
  const least = Number(schema.get('minItems')?.value ?? 0);
  const most = Number(schema.get('maxItems')?.value ?? Infinity);
  const isUnique = isFlagged(schema, 'uniqueItems');
  // Objects of a response are compared as they are written: they may have members that are not.
  const areUnique = isUnique && (direction === 'request' || isScalarOnly(schema.need('items')));
  if (direction === 'request' && isUnique && most > 1 && ignoresInside(schema.need('items')))
    schema
      .get('uniqueItems')
      ?.failAtName(
        'items that differ only in undeclared members, which a DTO drops, would become equal; add "additionalProperties: false" to each object in "items", or remove "uniqueItems"',
      );
  const demand = `must be an array${sizeText(least, most, 'item')}${isUnique ? ' without duplicates' : ''}`;
  const fits = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length >= least && value.length <= most && !(areUnique && hasDuplicates(value));
  const { complete } = items;
  const areValid = (value: readonly unknown[]) => value.every((item) => items.isValid(shown(item)));
  // Defaults may make two items of a request equal.
  const isFilledUnique = (value: readonly unknown[]) =>
    !(direction === 'request' && areUnique && complete && hasDuplicates(value.map(complete)));
  return {
    isValid: (value) => fits(value) && areValid(value) && isFilledUnique(value),
    explain: (value, place, sentences) => {
      if (!fits(value)) sentences.push(sentence(place, demand));
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) items.explain(shown(item), inside(place, index), sentences);
      if (fits(value) && areValid(value) && !isFilledUnique(value))
        sentences.push(withDefaults(sentence(place, demand)));
    },
    ...(complete && { complete: (value: unknown) => (value as unknown[]).map(complete) }),
  };
}

/** Takes one or two microseconds for each item, up to the first duplicate. */
export function hasDuplicates(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  return items.some((item) => {
    const text = canonicalText(item);
    return seen.has(text) || !seen.add(text);
  });
}
