import type { PipeTransform, Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import { isDeepStrictEqual } from 'node:util';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { isDto } from '../../validation/own-fields.js';
import { show } from '../dtos/conversion-samples.js';
import { TEXTS } from '../dtos/sample-values.js';
import { misfit } from '../dtos/taken-values.js';
import { itemsOf } from './handler-pipes.js';

/** The types of items that a ParseArrayPipe with `items` keeps or converts. It may refuse some of the texts. */
const CONVERTED = new Map<unknown, readonly string[]>([
  [String, ['string', 'integer', 'number', 'boolean']],
  [Number, ['integer', 'number', 'string']],
  [Boolean, ['boolean', 'string']],
]);

/** It would make a list of each list, and read a text as JSON. */
const OF_DTO = ['object', 'integer', 'number', 'boolean'];

/** With these, it keeps every item but a text that is JSON. */
const KEEPING = new Set<unknown>([Object, Array, Date, Buffer]);

interface Tried {
  readonly handler: string;
  readonly name: string;
  readonly kind: RouteParamtypes;
  readonly field: DeclaredField;
  readonly stock: readonly PipeTransform[];
}

/** Throws a StartError for a ParseArrayPipe with `items` that refuses or changes an item which the contract accepts. */
export async function assertItemsKept({ handler, name, kind, field, stock }: Tried): Promise<void> {
  const items = itemsOf(stock);
  const { position, types, itemTypes, accepts } = field;
  // Elsewhere, a pipe reads text.
  const isRead = kind === RouteParamtypes.BODY || kind === RouteParamtypes.QUERY;
  if (!items || !isRead || !types.includes('array')) return;
  const fitting = CONVERTED.get(items) ?? (isDto(items) ? OF_DTO : itemTypes);
  const other = itemTypes.find((one) => !fitting.includes(one));
  const taker = { place: handler, name: `an item of ${name}`, isText: false };
  if (other !== undefined) throw misfit(taker, position, other, items.name);
  const refusal = (words: string) =>
    new StartError(
      `${position} ${name} may be ${words} here, but the ParseArrayPipe of ${handler} does not keep that; take it without { items: ${items.name} } there, or forbid that here.`,
    );
  const isNullSent = kind === RouteParamtypes.BODY && !KEEPING.has(items);
  if (isNullSent && listsOf(null).some(accepts)) throw refusal('a list with null');
  if (CONVERTED.has(items) || isDto(items)) return;
  for (const list of TEXTS.flatMap(listsOf).filter(accepts)) {
    if (!(await keeps(stock, list, items))) throw refusal(show(list));
  }
}

/** A list may need more than one item. */
function listsOf(item: unknown): unknown[] {
  return [[item], [item, item]];
}

async function keeps(stock: readonly PipeTransform[], list: unknown, items: Type<object>): Promise<boolean> {
  let arrives = list;
  try {
    for (const pipe of stock) arrives = await pipe.transform(arrives, { type: 'custom', metatype: items });
    return isDeepStrictEqual(arrives, list);
  } catch {
    return false;
  }
}
