import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import type { Limits } from '../../contract/requests/named-values.js';
import type { MemberRule } from '../../validation/member-rules.js';
import type { Arrival } from './rule-arrival.js';
import { isForAnotherForm, isNeverMet, type Kind, samplesOfKind } from './rule-kinds.js';
import { textsOf } from './sample-values.js';

/** What the contract accepts, and the rules that must accept it as well. */
interface Trial {
  /** Completes "may be". */
  readonly words: string;
  /** What the rules see of it. They must accept one of these. */
  readonly arrivals: readonly unknown[];
  readonly concerns: (rule: MemberRule) => boolean;
  /** What to do at the rule, unless it can be loosened. */
  readonly advice?: string;
}

const WORDS: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  date: 'a Date',
  list: 'a list',
  object: 'an object',
  instance: 'an object',
  set: 'a list (in the DTO a Set)',
  map: 'an object (in the DTO a Map)',
};

/** Rules for a range, and those that except some values. Others may choose a few values between the bounds. */
const OF_BOUNDS = new Set([
  'min',
  'max',
  'isPositive',
  'isNegative',
  'isLatitude',
  'isLongitude',
  'notEquals',
  'isNotIn',
]);
/** Rules for the digits of numbers. */
const OF_FACTORS = new Set(['isDivisibleBy', 'isInt', 'isNumber']);
/** JavaScript writes smaller numbers with an exponent, for which the rule that counts digits throws instead of refusing them. */
const EXPONENT = 1e-6;
const countsDigits = ({ name, constraints: [options] }: MemberRule): boolean =>
  name === 'isNumber' && Object(options).maxDecimalPlaces !== undefined;
/** An example of a time may pass. */
const OF_TIMES = new Set(['minDate', 'maxDate']);
const OF_LENGTHS = new Set(['minLength', 'maxLength', 'isLength', 'isNotEmpty', 'isEmpty']);
const OF_SIZES = new Set(['arrayMinSize', 'arrayMaxSize', 'arrayNotEmpty']);

/** Texts of a length, and the rules that look at nothing else of them. One of the letters occurs in most patterns. */
const TEXTS: readonly Texts[] = [
  { letters: ['a', '7', 'A'], rules: OF_LENGTHS, unit: 'characters' },
  { letters: ['é'], rules: new Set(['isByteLength']), unit: 'characters such as "é"' },
];

interface Texts {
  readonly letters: readonly string[];
  readonly rules: ReadonlySet<string>;
  readonly unit: string;
}

/** Characters or items of the longest sample: a pattern may take time that grows with their square. */
const LONGEST = 10_000;

export function trialsOf(field: DeclaredField, arrival: Arrival): Trial[] {
  const { convert } = arrival;
  return [
    ...trialsOfKinds(arrival),
    ...(convert ? [...trialsOfValues(field, arrival.isList, convert), ...trialsOfSizes(field, arrival.isList)] : []),
    ...(convert && arrival.kinds.join() === 'text' ? trialsOfForms(field, arrival.isList, convert) : []),
  ];
}

function trialsOfKinds({ kinds, isList }: Arrival): Trial[] {
  const items = kinds.map((kind) => ({
    words: isList ? `a list with ${WORDS[kind]}` : WORDS[kind],
    arrivals: samplesOfKind(kind).map((value) => (isList ? [value] : value)),
    concerns: (rule: MemberRule) => (rule.isOfItems || !isList) && isNeverMet(rule, kind),
  }));
  return isList ? [OF_LISTS, ...items] : items;
}

const OF_LISTS: Trial = {
  words: WORDS.list,
  arrivals: samplesOfKind('list'),
  concerns: (rule) => !rule.isOfItems && isNeverMet(rule, 'list'),
  advice: 'give the rule { each: true } there',
};

/** The values that the contract names. A rule may exclude any other one. */
function trialsOfValues(field: DeclaredField, isList: boolean, convert: (value: unknown) => unknown): Trial[] {
  const { values, bounds, factors, examples, itemExamples, defaults, accepts } = field;
  // A list may need more than one item.
  const lists = (items: readonly unknown[]) => (isList ? items.flatMap((item) => [[item], [item, item]]) : items);
  const trial = (value: unknown, concerns: Trial['concerns']): Trial => ({
    words: wordsOf(value),
    arrivals: [convert(value)],
    concerns,
  });
  const trialsWith = (items: readonly unknown[], names: (name: string) => boolean) =>
    lists(items)
      .filter(accepts)
      .map((value) =>
        trial(value, ({ name, own, isOfItems }) => (isOfItems || !isList) && (own !== undefined || names(name))),
      );
  const isFlag = (isList ? field.itemTypes : field.types).includes('boolean');
  return [
    ...trialsWith(isFlag ? [...values, true, false] : values, () => true),
    ...trialsWith(bounds, (name) => OF_BOUNDS.has(name)),
    ...trialsWith(multiplesOf(factors, bounds), (name) => OF_FACTORS.has(name)),
    ...trialsWith(fractionsOf(field, isList), (name) => name === 'isInt').slice(0, 1),
    ...tinySamples(field, isList)
      .filter(accepts)
      .map((value) => ({ ...trial(value, countsDigits), advice: 'replace its maxDecimalPlaces by "multipleOf" here' })),
    ...trialsWith(isList ? itemExamples : [], (name) => !OF_TIMES.has(name)),
    ...examples.filter(accepts).map((value) => trial(value, ({ name }) => !OF_TIMES.has(name))),
    ...defaults.filter((value) => value !== null && accepts(value)).map((value) => trial(value, () => true)),
  ];
}

/** Fractions in the middle of the bounds, and near one of them. */
function fractionsOf({ types, itemTypes, bounds }: DeclaredField, isList: boolean): number[] {
  if (!(isList ? itemTypes : types).includes('number')) return [];
  const [least = 0, most = least] = bounds.map(Number);
  return [0.5, (least + most) / 2, least + 0.5, most - 0.5].filter((one) => !Number.isInteger(one));
}

/** Numbers that JavaScript writes with an exponent, or lists with one. The items of a list may have to differ. */
function tinySamples({ bounds, sizes }: DeclaredField, isList: boolean): unknown[] {
  const numbers = [1e-7, -1e-7, ...bounds.map(Number).filter((bound) => Math.abs(bound) < EXPONENT && bound !== 0)];
  if (!isList) return numbers;
  const others = Array.from({ length: Math.max(2, sizes.least ?? 1) - 1 }, (_, index) => index + 1);
  return numbers.flatMap((number) => [
    [number],
    [number, ...others],
    [number, ...others.map((other) => other * -number)],
    [number, ...others.map((other) => other * number * 2)],
  ]);
}

/** The least multiples, also beyond a bound. */
function multiplesOf(factors: readonly unknown[], bounds: readonly unknown[]): unknown[] {
  const beyond = factors
    .map(Number)
    .flatMap((factor) =>
      bounds
        .map((bound) => Math.ceil(Number(bound) / factor))
        .flatMap((times) => [times * factor, (times + 1) * factor]),
    );
  return [...factors, ...beyond.filter((one) => Math.abs(one) <= Number.MAX_SAFE_INTEGER)];
}

/** The rules look at nothing but the length. A text must have one that the schema accepts. */
function trialsOfSizes({ lengths, sizes, accepts }: DeclaredField, isList: boolean): Trial[] {
  const ofLists = samplesWithin(sizes).map((size) => ({
    words: `a list of ${size} items`,
    arrivals: [Array(size).fill(0)],
    concerns: ({ name, isOfItems }: MemberRule) => !isOfItems && OF_SIZES.has(name),
  }));
  const ofTexts = samplesWithin(lengths).flatMap((length) =>
    TEXTS.flatMap(({ letters, rules, unit }) => {
      const texts = letters.map((letter) => letter.repeat(length));
      const samples: readonly unknown[] = isList ? texts.flatMap((text) => [[text], [text, text]]) : texts;
      const words = `a text of ${length} ${unit}`;
      return samples
        .filter(accepts)
        .slice(0, 1)
        .map((arrival) => ({
          words: isList ? `a list with ${words}` : words,
          arrivals: [arrival],
          concerns: ({ name, isOfItems }: MemberRule) => (isOfItems || !isList) && rules.has(name),
        }));
    }),
  );
  return [...ofLists, ...ofTexts];
}

function samplesWithin({ least, greatest }: Limits): number[] {
  if (least !== undefined && least > LONGEST) return [];
  return [least, greatest && Math.min(greatest, LONGEST)].filter((length) => length !== undefined);
}

/** The formats whose texts all have the same length. */
const OF_ONE_LENGTH = new Set<unknown>(['date', 'uuid']);

function trialsOfForms(field: DeclaredField, isList: boolean, convert: (value: unknown) => unknown): Trial[] {
  const { format } = field;
  const samples = isList ? listsOfTexts(field) : textsOf(field);
  if (samples.length === 0) return [];
  return [
    {
      words: wordsOf(samples[0]),
      arrivals: samples.map(convert),
      concerns: ({ name, isOfItems }) =>
        (isOfItems || !isList) &&
        (isForAnotherForm(name, format) || (OF_ONE_LENGTH.has(format) && OF_LENGTHS.has(name))),
    },
  ];
}

/** A list may need more than one item. */
function listsOfTexts({ itemTypes, values, accepts, ...field }: DeclaredField): unknown[] {
  return [1, 2].flatMap((size) => {
    const listOf = (text: unknown): unknown[] => Array<unknown>(size).fill(text);
    const items = {
      ...field,
      itemTypes,
      values,
      types: itemTypes,
      schema: {},
      accepts: (text: unknown) => accepts(listOf(text)),
    };
    return textsOf(items).map(listOf);
  });
}

function wordsOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
