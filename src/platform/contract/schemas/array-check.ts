import { writeJson } from '../../values/exact-json.js';
import type { ContractNode } from '../source/contract-node.js';
import { type Check, type Compile, inside, sentence } from './check.js';
import { isFlagged } from './schema-type.js';

export function arrayCheck(schema: ContractNode, compile: Compile): Check {
  const items = compile(schema.need('items'));
  const least = Number(schema.get('minItems')?.value ?? 0);
  const most = Number(schema.get('maxItems')?.value ?? Infinity);
  const areUnique = isFlagged(schema, 'uniqueItems');
  const demand = `must be an array${sizeText(least, most)}${areUnique ? ' without duplicates' : ''}`;
  const fits = (value: unknown): value is unknown[] =>
    Array.isArray(value) &&
    value.length >= least &&
    value.length <= most &&
    (!areUnique || new Set(value.map(fingerprint)).size === value.length);
  const { complete } = items;
  return {
    isValid: (value) => fits(value) && value.every(items.isValid),
    explain: (value, place, sentences) => {
      if (!fits(value)) sentences.push(sentence(place, demand));
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) items.explain(item, inside(place, index), sentences);
    },
    ...(complete && { complete: (value: unknown) => (value as unknown[]).map(complete) }),
  };
}

function sizeText(least: number, most: number): string {
  if (least === 0 && most === Infinity) return '';
  const unit = (most === Infinity ? least : most) === 1 ? 'item' : 'items';
  if (most === Infinity) return ` of at least ${least} ${unit}`;
  return least === 0 ? ` of at most ${most} ${unit}` : ` of ${least} to ${most} ${unit}`;
}

/** Equal for equal values: the order of members has no meaning. */
function fingerprint(value: unknown): string {
  return writeJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, item]) => [name, sorted(item)]));
}
