import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import type { MemberRule } from '../../validation/member-rules.js';
import { samplesOf, textsOf } from './sample-values.js';

/** Rules that a value meets by its type alone. */
const OF_TYPES = new Set(['isString', 'isNumber', 'isInt', 'isBoolean', 'isArray', 'isObject', 'isDate']);

/** Further rules that no text meets. */
const NEVER_OF_TEXT = new Set(
  'min max isPositive isNegative isDivisibleBy isInstance isNotEmptyObject '
    .concat('arrayMinSize arrayMaxSize arrayNotEmpty arrayUnique arrayContains arrayNotContains')
    .split(' '),
);

/** Rules for the form of a text, and the formats that have texts of this form. */
const OF_FORMS = new Map<string, readonly unknown[]>([
  ['isEmail', ['email']],
  ['isUuid', ['uuid']],
  ['isUrl', ['uri', 'uri-reference', 'hostname']],
  ['isDateString', ['date', 'date-time']],
  ['isIso8601', ['date', 'date-time']],
  ['isRFC3339', ['date-time']],
  ['isNumberString', []],
  ['isBooleanString', []],
  ['isJson', []],
]);

const OF_LENGTHS = new Set(['minLength', 'maxLength', 'isLength', 'isNotEmpty', 'isEmpty']);
const OF_SIZES = new Set(['arrayMinSize', 'arrayMaxSize', 'arrayNotEmpty', 'isNotEmpty', 'isEmpty']);

/** Characters or items, beyond which no sample is made. */
const LONGEST = 100_000;

/** Valid values, and the rules that each of them must meet, or that one of them must. */
export interface Trial {
  readonly samples: readonly unknown[];
  readonly judges: (rule: MemberRule) => boolean;
  /** Whether a rule may refuse some of them: it narrows what is declared. */
  readonly isAnyEnough: boolean;
}

/** `arriving` returns what the rules get of a valid value. */
export function trialsOf(field: DeclaredField, arriving: (sample: unknown) => unknown): Trial[] {
  const trials = trialsOfNothing(field);
  if (field.isReadOnly) return trials;
  const named = field.defaults.filter((one) => one !== null && field.accepts(one));
  trials.push(each(named, () => true));
  const isList = field.types.join() === 'array';
  return trials.concat(isList ? trialsOfLists(field) : trialsOfValues(field), trialsOfTexts(field, arriving));
}

function trialsOfNothing({ types, isRequired, defaults, accepts, acceptsNull }: DeclaredField): Trial[] {
  return [
    each(acceptsNull() ? [null] : [], () => true),
    each(types.join() === 'array' && accepts([null]) ? [[null]] : [], isOfItems),
    each(!isRequired && defaults.length === 0 ? [undefined] : [], () => true),
  ];
}

function trialsOfValues(field: DeclaredField): Trial[] {
  const usual = samplesOf(field);
  // Rules of types do not look into an object.
  const objects = field.types.join() === 'object' ? [{}] : [];
  return [
    each(namedBy(field).filter(field.accepts), () => true),
    each([...usual, ...objects], isOfType),
    any(usual, () => true),
  ];
}

function trialsOfLists(field: DeclaredField): Trial[] {
  const usual = samplesOf(field);
  const named = namedBy(field).flatMap((item) => [[item], [item, item]]);
  const sizes = lengthsOf(field, 'minItems', 'maxItems').map((size) => Array<unknown>(size).fill(itemOf(usual)));
  return [
    each(named.filter(field.accepts), isOfItems),
    each(sizes.filter(field.accepts), ({ name }) => OF_SIZES.has(name)),
    each(usual, isOfType),
    // A single item may be too few for a list.
    any(usual, (rule) => isOfItems(rule) || !OF_SIZES.has(rule.name)),
  ];
}

function trialsOfTexts(field: DeclaredField, arriving: (sample: unknown) => unknown): Trial[] {
  const texts = textsOf(field);
  const lengths = lengthsOf(field, 'minLength', 'maxLength').map((length) => 'a'.repeat(length));
  const ofLengths = each(lengths.filter(field.accepts), ({ name }) => OF_LENGTHS.has(name));
  const arrivals = texts.map(arriving);
  if (arrivals.some((value, at) => value !== texts[at])) {
    // What a conversion makes of a text may fit few of the rules for its type.
    const isText = arrivals.some((value) => typeof value === 'string');
    return [ofLengths, any(texts, (rule) => isOfType(rule) || (!isText && OF_FORMS.has(rule.name)))];
  }
  const format = field.schema?.format;
  const isOfOtherForm = ({ name }: MemberRule) =>
    format !== undefined && OF_FORMS.get(name)?.includes(format) === false;
  return [ofLengths, each(texts, isOfType), any(texts, (rule) => NEVER_OF_TEXT.has(rule.name) || isOfOtherForm(rule))];
}

function isOfItems({ isOfItems: isSo }: MemberRule): boolean {
  return isSo;
}

function isOfType({ name }: MemberRule): boolean {
  return OF_TYPES.has(name);
}

const each = (samples: readonly unknown[], judges: Trial['judges']): Trial => ({ samples, judges, isAnyEnough: false });
const any = (samples: readonly unknown[], judges: Trial['judges']): Trial => ({ samples, judges, isAnyEnough: true });

function namedBy({ types, itemTypes, values }: DeclaredField): unknown[] {
  return [...types, ...itemTypes].includes('number') ? values.map(Number) : [...values];
}

function itemOf(lists: readonly unknown[]): unknown {
  return lists.flat()[0];
}

/** The bounds that the schema has, unless no sample is that long. */
function lengthsOf({ schema = {} }: DeclaredField, ...keywords: readonly string[]): number[] {
  return keywords.map((keyword) => Number(schema[keyword] ?? Infinity)).filter((length) => length <= LONGEST);
}
