/** What a value is when the rules of class-validator see it. */
export type Kind = 'text' | 'number' | 'bigint' | 'boolean' | 'date' | 'list' | 'object';

const MEETING: readonly (readonly [rules: string, kinds: readonly Kind[]])[] = [
  ['isString minLength maxLength isLength matches contains isLowercase isUppercase isAlpha', ['text']],
  ['isEmail isUuid isUrl isDateString isIso8601 isRFC3339 isNumberString isBooleanString isJson', ['text']],
  ['isNumber isInt min max isPositive isNegative isDivisibleBy', ['number']],
  ['isBoolean', ['boolean']],
  ['isDate minDate maxDate', ['date']],
  ['isArray arrayMinSize arrayMaxSize arrayNotEmpty arrayUnique arrayContains arrayNotContains', ['list']],
  ['isObject', ['object', 'date']],
  ['isNotEmptyObject', ['object']],
];

const KINDS = new Map(MEETING.flatMap(([rules, kinds]) => rules.split(' ').map((rule) => [rule, kinds] as const)));

/** Whether no value of a kind meets a rule. */
export function isNeverMet(rule: string, kind: Kind): boolean {
  return KINDS.get(rule)?.includes(kind) === false;
}

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
