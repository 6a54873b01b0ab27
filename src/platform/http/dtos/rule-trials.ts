import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import type { Limits } from '../../contract/requests/named-values.js';
import type { MemberRule } from '../../validation/member-rules.js';
import type { Arrival } from './rule-arrival.js';
import { isForAnotherForm, isNeverMet, type Kind } from './rule-kinds.js';
import { textsOf, UNSAFE } from './sample-values.js';

/** What the contract accepts, and the rules that must accept it as well. */
export interface Trial {
  /** Completes "may be". */
  readonly words: string;
  /** What the rules see of it. They must accept one of these. */
  readonly arrivals: readonly unknown[];
  readonly concerns: (rule: MemberRule) => boolean;
}

/** A value of each kind. Rules that no value of a kind meets do not depend on the value. */
const VALUES: Readonly<Record<Kind, { readonly words: string; readonly value: unknown }>> = {
  text: { words: 'text', value: 'text' },
  number: { words: 'a number', value: 7 },
  bigint: { words: 'a bigint', value: UNSAFE },
  boolean: { words: 'a boolean', value: true },
  date: { words: 'a Date', value: new Date(0) },
  list: { words: 'a list', value: [] },
  object: { words: 'an object', value: {} },
};

const OF_BOUNDS = new Set(['min', 'max', 'isPositive', 'isNegative']);
const OF_LENGTHS = new Set(['minLength', 'maxLength', 'isLength', 'isNotEmpty', 'isEmpty']);
const OF_SIZES = new Set(['arrayMinSize', 'arrayMaxSize', 'arrayNotEmpty']);

/** Characters or items of the longest sample. */
const LONGEST = 100_000;

export function trialsOf(field: DeclaredField, arrival: Arrival): Trial[] {
  const { convert } = arrival;
  return [
    ...trialsOfKinds(arrival),
    ...(convert ? [...trialsOfValues(field, arrival.isList, convert), ...trialsOfSizes(field, arrival.isList)] : []),
    ...(convert && arrival.kinds.join() === 'text' && !arrival.isList ? trialsOfForms(field, convert) : []),
  ];
}

function trialsOfKinds({ kinds, isList }: Arrival): Trial[] {
  const items = kinds.map((kind) => {
    const { words, value } = VALUES[kind];
    return {
      words: isList ? `a list with ${words}` : words,
      arrivals: [isList ? [value] : value],
      concerns: ({ name, isOfItems }: MemberRule) => (isOfItems || !isList) && isNeverMet(name, kind),
    };
  });
  return isList ? [...items, OF_LISTS] : items;
}

const OF_LISTS: Trial = {
  words: 'a list',
  arrivals: [[]],
  concerns: ({ name, isOfItems }) => !isOfItems && isNeverMet(name, 'list'),
};

/** The values that the contract names. A rule may exclude any other one. */
function trialsOfValues(field: DeclaredField, isList: boolean, convert: (value: unknown) => unknown): Trial[] {
  const { values, bounds, defaults, accepts } = field;
  // A list may need more than one item.
  const lists = (items: readonly unknown[]) => (isList ? items.flatMap((item) => [[item], [item, item]]) : items);
  const trial = (value: unknown, concerns: Trial['concerns']): Trial => ({
    words: wordsOf(value),
    arrivals: [convert(value)],
    concerns,
  });
  const named = lists(values).filter(accepts);
  return [
    ...named.map((value) => trial(value, ({ isOfItems }) => isOfItems || !isList)),
    ...lists(bounds)
      .filter(accepts)
      .map((value) => trial(value, ({ name, isOfItems }) => (isOfItems || !isList) && OF_BOUNDS.has(name))),
    ...defaults.filter((value) => value !== null && accepts(value)).map((value) => trial(value, () => true)),
  ];
}

/** The rules look at nothing but the length. */
function trialsOfSizes({ lengths, sizes }: DeclaredField, isList: boolean): Trial[] {
  const ofLists = samplesWithin(sizes).map((size) => ({
    words: `a list of ${size} items`,
    arrivals: [Array(size).fill(0)],
    concerns: ({ name, isOfItems }: MemberRule) => !isOfItems && OF_SIZES.has(name),
  }));
  const ofTexts = samplesWithin(lengths).map((length) => {
    const words = `a text of ${length} characters`;
    const text = 'a'.repeat(length);
    return {
      words: isList ? `a list with ${words}` : words,
      arrivals: [isList ? [text] : text],
      concerns: ({ name, isOfItems }: MemberRule) => (isOfItems || !isList) && OF_LENGTHS.has(name),
    };
  });
  return [...ofLists, ...ofTexts];
}

function samplesWithin({ least, greatest }: Limits): number[] {
  if (least !== undefined && least > LONGEST) return [];
  return [least, greatest && Math.min(greatest, LONGEST)].filter((length) => length !== undefined);
}

function trialsOfForms(field: DeclaredField, convert: (value: unknown) => unknown): Trial[] {
  const format = field.schema?.format;
  const texts = textsOf(field);
  if (texts.length === 0) return [];
  return [
    { words: wordsOf(texts[0]), arrivals: texts.map(convert), concerns: ({ name }) => isForAnotherForm(name, format) },
  ];
}

function wordsOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
