import type { MemberRule } from '../../validation/member-rules.js';
import { UNSAFE } from './sample-values.js';

/** What a value is when the rules of class-validator see it. An instance is an object that `@Type()` makes of its class. */
export type Kind = 'text' | 'number' | 'bigint' | 'boolean' | 'date' | 'list' | 'object' | 'instance' | 'set' | 'map';

/** A rule for values of a kind accepts one of these, or one that it names itself. Only rules for texts may accept others. */
const SAMPLES: Readonly<Record<Kind, readonly unknown[]>> = {
  text: ['text', '7', ''],
  number: [7, 0, -7, 1.5, Number.MAX_VALUE, -Number.MAX_VALUE],
  bigint: [UNSAFE],
  boolean: [true, false],
  date: [new Date(0), new Date(8.64e15), new Date(-8.64e15)],
  list: [[], [7]],
  object: [{}, { name: 7 }],
  instance: [{}, { name: 7 }],
  set: [new Set(), new Set([7])],
  map: [new Map(), new Map([['name', 7]])],
};

const KINDS = Object.keys(SAMPLES) as Kind[];

export function samplesOfKind(kind: Kind): readonly unknown[] {
  return SAMPLES[kind];
}

/** Whether no value of a kind meets a rule, or no item of a kind one for items. */
export function isNeverMet(rule: MemberRule, kind: Kind): boolean {
  // What the items are is not known.
  if (rule.isOfItems && (kind === 'set' || kind === 'map')) return false;
  const isMet = (value: unknown) => rule.accepts(rule.isOfItems ? [value] : value);
  const isMetBy = (one: Kind) => SAMPLES[one].some(isMet) || namedValues(rule, one).some(isMet);
  if (isMetBy(kind)) return false;
  // One that accepts nothing at all is for texts of a rare form.
  return kind !== 'text' || KINDS.some((one) => one !== 'text' && isMetBy(one));
}

/** The values of a kind that the arguments of a rule name: those of `@IsIn()`, the size of `@ArrayMinSize()`. */
function namedValues({ constraints }: MemberRule, kind: Kind): unknown[] {
  if (kind === 'list') return constraints.flatMap((one) => listOf(one));
  if (kind === 'instance') return constraints.flatMap((one) => (isClass(one) ? [Object.create(one.prototype)] : []));
  return constraints
    .flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : [one]) as unknown[])
    .filter((one) => TYPES.get(typeof one) === kind);
}

/** A list itself would be equal to the argument, which no received list is. */
function listOf(argument: unknown): unknown[] {
  if (Array.isArray(argument)) return [[...(argument as unknown[])]];
  return typeof argument === 'number' && argument === argument >>> 0 ? [Array(argument)] : [];
}

function isClass(argument: unknown): argument is { readonly prototype: object } {
  return typeof argument === 'function' && argument.prototype !== undefined;
}

const TYPES = new Map<string, Kind>([
  ['string', 'text'],
  ['number', 'number'],
  ['bigint', 'bigint'],
  ['boolean', 'boolean'],
]);

/** Rules for the form of a text, and the formats of the contract that have texts of this form. */
const FORMS = new Map<string, readonly unknown[]>([
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

/** Whether a rule is for texts of another form than those of a format. */
export function isForAnotherForm(rule: string, format: unknown): boolean {
  return format !== undefined && FORMS.get(rule)?.includes(format) === false;
}
